internal import Foundation
package import HTTPEdge
internal import Hummingbird
internal import HummingbirdCore
internal import IDaaSWire
internal import JWTCore
public import Logging
internal import NIOCore
package import Secrets
internal import ServiceLifecycle
internal import UnixSignals

/// The reference identity provider: the domain behind the wire protocol, on one listener.
public struct ReferenceServer: Sendable {
    /// The metrics of the server, as `/metrics` shows them.
    package let metrics = TextMetrics()
    package let services: Services
    /// Keeps the messages in development.
    package let outbox: DevelopmentOutbox?

    private let configuration: ServerConfiguration
    private let address: ListenAddress
    private let reservation: PortReservation?
    private let publicURL: String
    private let clock: any ServerClock
    private let randomness: Randomness
    private let logger: Logger
    private let development: DevelopmentEndpoints?
    private let simulators: SimulatorEndpoints?
    private let shutdown = ShutdownSwitch()
    /// Nil for a database that servers share.
    private let lock: ServerLock?

    /// Opens the store, creates what is missing in it, and reserves the port. The server answers only after ``run(heedsSignals:onReady:)``.
    ///
    /// - Parameters:
    ///   - gateway: receives the messages instead of the configured webhook.
    ///   - environment: for `ASSAY_IDAAS_KEY`; nil means the environment of the process.
    ///   - adjust: changes what the services share.
    /// - Throws: `ConfigurationError`; the error of the store if it cannot be opened; ``DatabaseFailure`` if another server serves from it.
    package init(
        configuration: ServerConfiguration, clock: any ServerClock = SystemServerClock(), randomness: Randomness = .system,
        gateway: (any SMSGateway)? = nil, environment: [String: String]? = nil, logger: Logger? = nil,
        adjust: (inout ServiceEnvironment) -> Void = { _ in }
    ) async throws {
        try configuration.check()
        var address = try configuration.listenAddress
        reservation = address.port == 0 ? try PortReservation(host: address.host) : nil
        if let reservation { address.port = reservation.port }
        self.address = address
        self.configuration = configuration
        self.randomness = randomness
        self.logger = logger ?? Self.logger(configuration)
        publicURL = configuration.publicURL.isEmpty ? configuration.url(of: address) : configuration.publicURL

        let clock = configuration.development ? DevelopmentClock(over: clock) : clock
        self.clock = clock
        let outbox = configuration.development ? DevelopmentOutbox() : nil
        self.outbox = outbox
        simulators = configuration.simulators ? SimulatorEndpoints(clock: clock, randomness: randomness) : nil
        var shared = try ServiceEnvironment(
            configuration: configuration, issuer: publicURL + WirePath.issuer, clock: clock, randomness: randomness,
            gateway: gateway ?? outbox, simulators: configuration.simulators ? configuration.url(of: address) : nil,
            environment: environment, logger: self.logger)
        shared.signalMetrics = SignalMetrics(metrics)
        adjust(&shared)
        lock = configuration.hasSharedDatabase ? nil : try ServerLock(database: configuration.database, holder: publicURL)
        services = Services(shared)
        development = Self.development(outbox, clock, services.captcha, randomness)
        try await services.serve()
    }

    /// The same with the machine's clock and randomness and the configured gateway.
    public init(configuration: ServerConfiguration, logger: Logger? = nil) async throws {
        try await self.init(configuration: configuration, gateway: nil, logger: logger)
    }

    /// Serves until the task is cancelled, ``shutDown()`` is called or the process gets a stop signal. Then ends the requests under way.
    ///
    /// - Parameters:
    ///   - heedsSignals: whether SIGTERM and SIGINT end it.
    ///   - onReady: is called once the listener is open.
    /// - Throws: when the address is taken, or the audit log cannot be opened.
    public func run(
        heedsSignals: Bool = true, onReady: @escaping @Sendable (Ready) async -> Void = { _ in }
    ) async throws {
        defer {
            services.store.close()
            lock?.release()
        }
        let queue = configuration.auditQueue(services.store, AuditMetrics(metrics), logger)
        let application = try application(try configuration.auditSink(queue, AuditMetrics(metrics), logger), onReady)
        let others: [any Service] = [
            Maintenance(services: services, logger: logger), SignalWorker(services: services, logger: logger), application,
        ]
        // They end in the opposite order: the last requests are answered before the queue of their audit events is written and closed.
        var group = ServiceGroupConfiguration(
            services: (queue.map { [$0] } ?? []) + others,
            gracefulShutdownSignals: heedsSignals ? [.sigterm, .sigint] : [], logger: logger)
        group.maximumGracefulShutdownDuration = configuration.connections.drainTimeout
        try await shutdown.run(ServiceGroup(configuration: group))
    }

    /// Stops listening. ``run(heedsSignals:onReady:)`` ends when the requests under way are answered or their time is up.
    public func shutDown() { shutdown.fire() }

    /// The address of the server once it answers.
    public struct Ready: Hashable, Sendable {
        /// For example `http://127.0.0.1:8800`.
        public let url: String
        public let port: Int
        public let issuer: String
        /// For `X-Assay-Dev`; nil without development.
        public let developmentToken: String?
    }
}

extension ReferenceServer {
    private func application(
        _ audit: any AuditSink, _ onReady: @escaping @Sendable (Ready) async -> Void
    ) throws -> some ApplicationProtocol {
        let ready = Ready(
            url: publicURL, port: address.port, issuer: publicURL + WirePath.issuer, developmentToken: development?.token)
        return Application(
            responder: try router(audit).buildResponder(),
            server: try configuration.tls.server(over: plainServer()),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.connections.maximum)),
            onServerRunning: { _ in
                ServiceNotification().send("READY=1\nSTATUS=Listening at \(ready.url)")
                await onReady(ready)
            },
            logger: logger)
    }

    /// HTTP/1.1 without TLS. A connection whose head is malformed (400) or late (408) has its count and a line, without a byte of the head.
    private func plainServer() throws -> HTTPServerBuilder {
        let proxies = try configuration.trustedProxies
        let (limits, connections) = (connectionLimits, ConnectionMetrics(metrics))
        return HTTPServerBuilder { [logger] responder in
            let edge = EdgeChannel(
                limits, isUnlimited: { proxies.isTrusted($0) }, refused: { connections.refuseMessage($0, logger) }, responder: responder)
            return CountedChannel(edge, connections)
        }
    }

    private var connectionLimits: ConnectionLimits {
        var limits = configuration.connections
        limits.bodyBytes = JSONBody.maximumBytes
        return limits
    }

    private func router(_ audit: any AuditSink) throws -> Router<FramedContext> {
        let endpoints = try endpoints()
        let counts = RequestMetrics(metrics)
        let router = Router(context: FramedContext.self)
        router.add(
            middleware: RequestFrame(
                routes: RouteTable(endpoints), proxies: try configuration.trustedProxies, metrics: counts, randomness: randomness,
                isTLS: publicURL.hasPrefix("https:")))
        EndpointAdapter(audit: audit, metrics: counts, clock: clock).add(endpoints, to: router)
        return router
    }

    private func endpoints() throws -> [Endpoint] {
        let groups: [any EndpointGroup] = [
            DiscoveryEndpoints(services: services, issuer: publicURL + WirePath.issuer),
            StatusListEndpoints(services: services),
            SignalEndpoints(services: services, issuer: publicURL + WirePath.issuer),
            SystemEndpoints(services: services),
            CaptchaEndpoints(services: services),
            SMSEndpoints(services: services),
            SessionEndpoints(services: services),
            OwnSessionEndpoints(services: services),
            WeChatEndpoints(services: services),
            OneClickEndpoints(services: services),
            SecondFactorEndpoints(services: services),
            PhoneEndpoints(services: services),
            AuthorizationEndpoints(services: services),
            try LoginPage(clients: services.clients, authorizations: services.authorizations, randomness: randomness),
            OperationsEndpoints(
                readiness: Readiness(
                    clock: clock, store: services.store, path: configuration.hasSharedDatabase ? nil : configuration.database,
                    minimumFreeBytes: configuration.readiness.minimumFreeBytes),
                metrics: metrics, signals: services.signalDelivery, readers: try configuration.metricsReaders,
                document: Array(OpenAPIDocument.json.indentedText.utf8)),
        ]
        let registration = configuration.oauth.registration ? RegistrationEndpoints(services: services) : nil
        let optional: [(any EndpointGroup)?] = [registration, development, simulators]
        return (groups + optional.compactMap { $0 }).flatMap(\.endpoints)
    }

    private static func development(
        _ outbox: DevelopmentOutbox?, _ clock: any ServerClock, _ captcha: SliderCaptcha, _ randomness: Randomness
    ) -> DevelopmentEndpoints? {
        guard let outbox, let clock = clock as? DevelopmentClock else { return nil }
        return DevelopmentEndpoints(
            outbox: outbox, clock: clock, captcha: captcha, token: randomness.token(characters: 32, alphabet: .base62))
    }

    private static func logger(_ configuration: ServerConfiguration) -> Logger {
        let level = Logger.Level(rawValue: configuration.log.level) ?? .info
        return Logger(label: "idaas") { JSONLinesLog(label: $0, level: level, clock: SystemServerClock()) }
    }
}
