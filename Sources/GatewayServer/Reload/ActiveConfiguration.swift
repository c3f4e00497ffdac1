#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Synchronization

/// A configuration with the core that decides by it.
final class ActiveConfiguration: Sendable {
    let configuration: ServiceConfiguration
    let core: DecisionCore
    /// Counts the configurations of this process, from 1.
    let generation: Int
    let since: NumericDate

    init(configuration: ServiceConfiguration, core: DecisionCore, generation: Int, since: NumericDate) {
        self.configuration = configuration
        self.core = core
        self.generation = generation
        self.since = since
    }
}

/// The configuration in force. A decision takes it once, at its start, so a replacement never changes a decision under way.
final class LiveGateway: Sendable {
    private let current: Published<ActiveConfiguration>
    private let drains = Atomic(false)
    /// Beside the configuration: each call of Envoy asks for it before it is decided.
    private let readsClients: Atomic<Bool>

    init(_ inForce: ActiveConfiguration) {
        current = Published(inForce)
        readsClients = Atomic(inForce.configuration.log.logsClients)
    }

    var inForce: ActiveConfiguration { current.current }

    func replace(_ configuration: ServiceConfiguration, _ core: DecisionCore, at date: NumericDate) {
        current.replace { ActiveConfiguration(configuration: configuration, core: core, generation: $0.generation + 1, since: date) }
        readsClients.store(configuration.log.logsClients, ordering: .relaxed)
    }

    /// Whether the access log of the configuration in force has the addresses of clients.
    var logsClients: Bool { readsClients.load(ordering: .relaxed) }

    /// Whether the service ends: it still answers, and gateways should ask another one.
    var isDraining: Bool { drains.load(ordering: .acquiring) }

    func drain() { drains.store(true, ordering: .releasing) }

    /// Whether every required issuer has keys and the service is not about to end.
    var isReady: Bool { !isDraining && inForce.core.issuers.isReady }
}
#endif
