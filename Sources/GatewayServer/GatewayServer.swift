#if Gateway
internal import Gateway
internal import HTTPEdge
internal import HummingbirdCore
public import JWKSCache
public import JWTCore
public import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// The forward-auth service: listeners that gateways ask for decisions, and one for operators.
public struct GatewayServer: Sendable {
    private let surroundings: Surroundings
    private let logger: Logger
    /// Nil if the surroundings have a logger.
    private let logQueue: LogQueue?
    private let observations: Observations
    private let sockets: OpenSockets
    private let shutdown = ShutdownSwitch()

    /// What a service takes from its process; tests replace it.
    public struct Surroundings: Sendable {
        /// Fetches keys; nil: HTTP, as the configuration says.
        public var transport: (any DocumentTransport)?
        /// Measures the age of keys and the time between two looks at a file.
        public var clock: any ElapsedClock = SystemElapsedClock()
        /// Gives the time that tokens are judged for.
        public var date: any UnixClock = SystemClock()
        /// Nil: lines of JSON on standard error. Decisions do not wait for them.
        public var logger: Logger?
        /// For socket activation, notifications and variables of the configuration; nil: the environment of the process.
        public var environment: [String: String]?
        /// How long a listener that ends still accepts connections.
        package var drainStep = Duration.milliseconds(100)
        /// Keeps what events revoke; nil: the file that the configuration names.
        package var revocationStore: (any RevocationStore)?

        public init() {}
    }

    /// Reads the configuration, opens every socket, and starts to fetch the keys of required issuers. The service answers only after
    /// ``run(heedsSignals:onReady:)``.
    ///
    /// - Throws: `SettingsFailure` or ``StartFailure``.
    public init(file path: String, surroundings: Surroundings = Surroundings()) throws {
        let environment = surroundings.environment, watched = WatchedFile(configuration: path, environment: environment)
        let configuration = try ServiceConfiguration(file: path, environment: environment)
        let files = Reloading.Files(configuration: watched, revocations: configuration.revocationFile.map(WatchedFile.init))
        let activation = environment.map { SocketActivation(environment: $0) } ?? SocketActivation()
        let sockets = try OpenSockets(configuration, activation)
        let logQueue = surroundings.logger == nil ? LogQueue(lossLine: Self.lossLine) : nil
        let logger = surroundings.logger ?? Self.logger(configuration.log, logQueue)
        let started = surroundings.date.now
        let metrics = GatewayMetrics(listeners: configuration.listeners.map(\.name), at: started, logger: logger)
        let cache = configuration.cache
        let observer = { @Sendable (event: RefreshEvent) in
            metrics.observe(event)
            RefreshLog(logger: logger).record(event)
        }
        let replays = ServiceReplays(logger: logger)
        let core = try configuration.core(
            transport: surroundings.transport, cache: cache, replays: replays, clock: surroundings.clock, date: surroundings.date,
            observer: observer)
        let signals = try SignalReceiver(
            configuration.signals, revocations: core.revocations, surroundings: surroundings, logger: logger, observer: observer)
        let gateway = LiveGateway(ActiveConfiguration(configuration: configuration, core: core, generation: 1, since: started))
        let reloading = Reloading(
            files: files, gateway: gateway, metrics: metrics, transport: surroundings.transport, replays: replays, clock: surroundings.date,
            logger: logger, environment: environment)
        observations = Observations(
            gateway: gateway, metrics: metrics, reloading: reloading, cache: cache, replays: replays, signals: signals,
            date: surroundings.date,
            started: started)
        self.surroundings = surroundings
        self.logger = logger
        self.logQueue = logQueue
        self.sockets = sockets
        reloading.warn(configuration.warnings(revocations: core.revocations.list))
        if !sockets.unused.isEmpty {
            logger.warning("sockets of the service manager that no listener names", metadata: ["names": "\(sockets.unused)"])
        }
    }

    /// Serves until the task is cancelled, ``shutDown()`` is called or the process gets SIGTERM or SIGINT. Then `/readyz` answers 503, the
    /// decisions under way end, and last the administrative listener.
    ///
    /// - Parameters:
    ///   - heedsSignals: whether SIGTERM and SIGINT end it, SIGHUP reloads, and the process gets the descriptors that its connections need.
    ///   - onReady: is called once the sockets are open.
    public func run(heedsSignals: Bool = true, onReady: @escaping @Sendable (Ready) async -> Void = { _ in }) async throws {
        defer { logQueue?.flush() }
        let notification = surroundings.environment.map { ServiceNotification(environment: $0) } ?? ServiceNotification()
        // From here on SIGHUP does not end the process.
        let hangups = heedsSignals ? await UnixSignalsSequence(trapping: .sighup) : nil
        let most = connectionsForEach(raising: heedsSignals)
        var group = ServiceGroupConfiguration(
            services: services(
                hangups,
                DrainMark(gateway: observations.gateway, notification: notification) {
                    await onReady(
                        Ready(
                            listeners: sockets.addresses, administration: sockets.administration.map(\.name),
                            signals: sockets.signals.map(\.name)))
                }, most: most), gracefulShutdownSignals: heedsSignals ? [.sigterm, .sigint] : [], logger: logger)
        group.maximumGracefulShutdownDuration = configuration.connections.drainTimeout
        try await shutdown.run(ServiceGroup(configuration: group))
    }

    /// Ends the service gracefully.
    public func shutDown() { shutdown.fire() }

    /// The open sockets.
    public struct Ready: Hashable, Sendable {
        /// The addresses by the name of the listener.
        public let listeners: [String: [String]]
        public let administration: [String]
        /// Where transmitters push events.
        public let signals: [String]
    }

    package func reloadConfiguration() { observations.reloading.reloadConfiguration() }

    /// Why a service cannot start although its configuration is right: an address that is taken, a user that does not exist.
    public struct StartFailure: Error, Hashable, Sendable, CustomStringConvertible {
        public let code: String
        public let description: String
    }
}

extension GatewayServer {
    /// What the process keeps until its end.
    private var configuration: ServiceConfiguration { observations.reloading.started }

    /// The group ends its services from the last to the first.
    private func services(_ hangups: UnixSignalsSequence?, _ mark: DrainMark, most: Int) -> [any Service] {
        [
            SimultaneousServices(name: "administration", services: administrationListeners(most)),
            ConfigurationWatch(reloading: observations.reloading, clock: surroundings.clock, hangups: hangups),
            HistorySampling(observations: observations, clock: surroundings.clock, date: surroundings.date),
        ] + signalServices(most) + [SimultaneousServices(name: "decisions", services: decisionListeners(most)), mark]
    }

    private func administrationListeners(_ most: Int) -> [any Service] {
        let responder = AdministrationResponder(
            observations: observations, page: StatusPage(), date: surroundings.date, logger: logger)
        let refusals = OperatorRefusals(counts: observations.operators, logger: logger)
        let channel = EdgeChannel(
            configuration.connections, refused: { refusals.record($0) },
            responder: { (request, writer: consuming ResponseWriter, _) in try await responder.respond(request, writer) })
        return sockets.administration.map {
            EdgeListener($0, connection: channel, maximum: most, logger: logger) { [operators = observations.operators] in
                operators.connection($0)
            }
        }
    }

    /// None, if no events arrive.
    private func signalServices(_ most: Int) -> [any Service] {
        guard let receiver = observations.signals else { return [] }
        let responder = SignalResponder(receiver: receiver, logger: logger), counts = observations.metrics.transmitters
        let refusals = OperatorRefusals(counts: counts, logger: logger)
        let channel = EdgeChannel(
            configuration.connections, refused: { refusals.record($0) },
            responder: { (request, writer: consuming ResponseWriter, _) in try await responder.respond(request, writer) })
        let listeners = sockets.signals.map {
            EdgeListener($0, connection: channel, maximum: most, logger: logger) { counts.connection($0) }
        }
        let polls = receiver.streams.compactMap { stream -> SignalPoll? in
            guard case .poll(let poll) = stream.settings.delivery else { return nil }
            return SignalPoll(stream: stream, poll: poll, receiver: receiver, clock: surroundings.clock, logger: logger)
        }
        let upkeep = SignalUpkeep(receiver: receiver, clock: surroundings.clock)
        return [SimultaneousServices(name: "signals", services: [upkeep] + listeners + polls)]
    }

    private func decisionListeners(_ most: Int) -> [any Service] {
        let counted = zip(observations.metrics.listeners, observations.metrics.files)
        return zip(configuration.listeners, counted).flatMap { settings, counted in
            sockets.decisions[settings.name, default: []].map { decisionListener(settings, counted, $0, most) }
        }
    }

    private func decisionListener(
        _ settings: ListenerSettings, _ counted: (ListenerCounts, GatewayFileVersions), _ socket: ListeningSocket, _ most: Int
    ) -> any Service {
        let (counts, files) = counted
        let limits = configuration.connections, gateway = observations.gateway
        if settings.profile == .resourceMetadata { return metadataListener(counts, socket, most) }
        let log = AccessLog(logger: logger, listener: settings.name)
        func listener(_ connection: some ServerChildChannel) -> any Service {
            EdgeListener(
                socket, connection: connection, maximum: most, runsOnEventLoops: true, drainStep: surroundings.drainStep,
                logger: logger
            ) { counts.connection($0) }
        }
        guard let profile = GatewayProfile(settings) else {
            let calls = ExternalAuthorizationListener(gateway: gateway, counts: counts, log: log, clock: surroundings.clock)
            return listener(calls.channel(limits))
        }
        let responder = DecisionResponder(
            profile: profile, gateway: gateway, counts: counts, files: files, log: log, clock: surroundings.clock)
        // The peer is the gateway, which connects for all its clients.
        return listener(
            ImmediateChannel(limits, isUnlimited: { _ in true }, refused: { responder.refused($0) }, respond: { responder.respond($0, $1) })
        )
    }

    /// The peer is the gateway, which connects for all its clients.
    private func metadataListener(_ counts: ListenerCounts, _ socket: ListeningSocket, _ most: Int) -> any Service {
        let responder = ResourceMetadataResponder(gateway: observations.gateway, counts: counts)
        let refusals = OperatorRefusals(counts: counts, logger: logger)
        let channel = EdgeChannel(
            configuration.connections, isUnlimited: { _ in true }, refused: { refusals.record($0) },
            responder: { (request, writer: consuming ResponseWriter, _) in try await responder.respond(request, writer) })
        return EdgeListener(socket, connection: channel, maximum: most, logger: logger) { counts.connection($0) }
    }

    /// The connections that each listener may have at once. Together they leave descriptors for fetching keys, for files and for the event
    /// loops, and each listener has its own share: idle connections of one keep no operator out.
    private func connectionsForEach(raising mayRaise: Bool) -> Int {
        let maximum = configuration.connections.maximum
        let needed = sockets.count * maximum + DescriptorLimit.reserve
        let limit = DescriptorLimit.raise(to: mayRaise ? needed : 0)
        guard limit < needed else { return maximum }
        let most = max(1, (limit - min(DescriptorLimit.reserve, limit / 2)) / max(1, sockets.count))
        logger.warning(
            "fewer descriptors than connections; raise the hard limit or lower connections.maximum",
            metadata: ["limit": "\(limit)", "needed": "\(needed)", "connections_of_a_listener": "\(min(most, maximum))"])
        return min(most, maximum)
    }

    private static func logger(_ settings: LogSettings, _ queue: LogQueue?) -> Logger {
        let level = Logger.Level(rawValue: settings.level) ?? .info
        return Logger(label: "gateway") { label in JSONLinesLog(label: label, level: level, write: { queue?.append($0) }) }
    }

    @Sendable
    private static func lossLine(_ count: Int) -> String {
        JSONLinesLog(label: "gateway").line(.warning, "lines of the log are lost", ["lines": "\(count)"])
    }
}
#endif
