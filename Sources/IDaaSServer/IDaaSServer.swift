#if IDaaS
internal import Foundation
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import JWTCore
public import Logging
internal import NIOCore
package import Secrets
internal import ServiceLifecycle
internal import UnixSignals

/// The reference identity provider: the domain behind the wire protocol, on one listener.
public struct IDaaSServer: Sendable {
    /// What the server counts, as `/metrics` shows it.
    public let metrics = TextMetrics()
    package let services: Services
    /// Where messages are in development.
    package let outbox: DevelopmentOutbox?

    private let configuration: ServerConfiguration
    private let address: ListenAddress
    private let reservation: PortReservation?
    private let publicURL: String
    private let clock: any ServerClock
    private let randomness: Randomness
    private let logger: Logger
    private let development: DevelopmentEndpoints?
    private let shutdown = ShutdownSwitch()

    /// Opens the store, makes what is missing in it, and reserves the port. Nobody is answered before ``run(heedsSignals:onReady:)``.
    ///
    /// - Parameters:
    ///   - gateway: where messages go, instead of to the configured webhook.
    ///   - environment: for `ASSAY_IDAAS_KEY`; nil is the process's own.
    /// - Throws: `ConfigurationError`; what the store throws when it cannot be opened.
    package init(
        configuration: ServerConfiguration, clock: any ServerClock = SystemClock(), randomness: Randomness = .system,
        gateway: (any SMSGateway)? = nil, environment: [String: String]? = nil, logger: Logger? = nil
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
        development = Self.development(outbox, clock, randomness)
        services = try ServiceAssembly(
            configuration: configuration, issuer: publicURL + ServiceAssembly.issuerPath, clock: clock, randomness: randomness,
            gateway: gateway ?? outbox, environment: environment ?? ProcessInfo.processInfo.environment, logger: self.logger
        ).services()
        try await services.serve()
    }

    /// The same with the machine's clock and randomness and the configured gateway.
    public init(configuration: ServerConfiguration, logger: Logger? = nil) async throws {
        try await self.init(configuration: configuration, gateway: nil, logger: logger)
    }

    /// Serves until the task is cancelled, ``shutDown()`` is called or the process is told to end, and then ends what is under way.
    ///
    /// - Parameter heedsSignals: whether SIGTERM and SIGINT end it.
    /// - Throws: when the address is taken, or the audit log cannot be opened.
    public func run(
        heedsSignals: Bool = true, onReady: @escaping @Sendable (Ready) async -> Void = { _ in }
    ) async throws {
        let audit = try auditSink()
        let application = try application(audit, onReady)
        var group = ServiceGroupConfiguration(
            services: [Maintenance(services: services, logger: logger), application],
            gracefulShutdownSignals: heedsSignals ? [.sigterm, .sigint] : [], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(configuration.connections.drainSeconds)
        let running = ServiceGroup(configuration: group)
        shutdown.arm { await running.triggerGracefulShutdown() }
        // A cancelled group drops its requests; what ends the server by cancelling means to end it well.
        let task = Task { try await running.run() }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            shutDown()
        }
    }

    /// Stops listening, and ends ``run(heedsSignals:onReady:)`` when the requests under way are answered or their time is up.
    public func shutDown() { shutdown.fire() }

    /// Who the server is once it answers.
    public struct Ready: Hashable, Sendable {
        /// Such as `http://127.0.0.1:8800`.
        public let url: String
        public let port: Int
        public let issuer: String
        /// For `X-Assay-Dev`; nil without development.
        public let developmentToken: String?
    }
}

extension IDaaSServer {
    private func application(
        _ audit: any AuditSink, _ onReady: @escaping @Sendable (Ready) async -> Void
    ) throws -> some ApplicationProtocol {
        let ready = Ready(
            url: publicURL, port: address.port, issuer: publicURL + ServiceAssembly.issuerPath, developmentToken: development?.token)
        let http = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(Int64(configuration.connections.idleSeconds)),
                httpDecoderConfiguration: .init(maxHeaderFieldSize: 32_768, maxHeaderListSize: 32_768, maxHeaderFieldCount: 256)))
        return Application(
            responder: try router(audit).buildResponder(),
            server: configuration.tls.isSet ? try .tls(http, tlsConfiguration: configuration.tls.configuration()) : http,
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.connections.maximum)),
            onServerRunning: { _ in await onReady(ready) },
            logger: logger)
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
        let callers = CallerReading(services.clients)
        let groups: [any EndpointGroup] = [
            DiscoveryEndpoints(services: services, issuer: publicURL + ServiceAssembly.issuerPath),
            SystemEndpoints(services: services, callers: callers),
            CaptchaEndpoints(services: services, callers: callers),
            SMSEndpoints(services: services, callers: callers),
            SessionEndpoints(services: services, callers: callers),
            OwnSessionEndpoints(services: services, callers: callers),
            OperationsEndpoints(
                readiness: Readiness(clock: clock, store: services.store), metrics: metrics, readers: try configuration.metricsReaders,
                document: Array(OpenAPIDocument.json.indentedText.utf8)),
        ]
        return (groups + [development].compactMap { $0 }).flatMap(\.endpoints)
    }

    private func auditSink() throws -> any AuditSink {
        guard !configuration.audit.file.isEmpty else { return NoAudit() }
        let logger = logger
        return try AuditLog(
            path: configuration.audit.file, rotateBytes: configuration.audit.rotateBytes, keep: configuration.audit.keep
        ) { logger.error("\($0)") }
    }

    private static func development(
        _ outbox: DevelopmentOutbox?, _ clock: any ServerClock, _ randomness: Randomness
    ) -> DevelopmentEndpoints? {
        guard let outbox, let clock = clock as? DevelopmentClock else { return nil }
        return DevelopmentEndpoints(outbox: outbox, clock: clock, token: randomness.token(characters: 32, alphabet: .base62))
    }

    private static func logger(_ configuration: ServerConfiguration) -> Logger {
        let level = Logger.Level(rawValue: configuration.log.level) ?? .info
        return Logger(label: "idaas") { LineLogHandler(label: $0, level: level) }
    }
}

/// Ends a server from anywhere, and also one that only starts later.
final class ShutdownSwitch: Sendable {
    private struct State {
        var isFired = false
        var action: (@Sendable () async -> Void)?
    }

    private let state = Locked(State())

    func arm(_ action: @escaping @Sendable () async -> Void) {
        let isFired = state.withLock {
            $0.action = action
            return $0.isFired
        }
        if isFired { Task { await action() } }
    }

    func fire() {
        let action = state.withLock {
            $0.isFired = true
            return $0.action
        }
        if let action { Task { await action() } }
    }
}
#endif
