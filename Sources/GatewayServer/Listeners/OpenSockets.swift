#if Gateway
internal import HTTPEdge

/// The sockets of a service. Those that were opened before one that cannot be are closed.
struct OpenSockets: Sendable {
    /// By the name of the listener.
    let decisions: [String: [ListeningSocket]]
    let administration: [ListeningSocket]
    /// For events.
    let signals: [ListeningSocket]
    /// The names of sockets that the service manager passed and no listener has.
    let unused: [String]

    /// - Throws: ``GatewayServer/StartFailure``.
    init(_ configuration: ServiceConfiguration, _ activation: SocketActivation) throws(GatewayServer.StartFailure) {
        do throws(ListeningFailure) {
            var decisions: [String: [ListeningSocket]] = [:]
            for listener in configuration.listeners { decisions[listener.name] = try listener.place.open(activation) }
            administration = try configuration.administration.open(activation)
            signals = try configuration.signals?.place?.open(activation) ?? []
            self.decisions = decisions
        } catch {
            throw GatewayServer.StartFailure(code: error.reason.rawValue, description: error.description)
        }
        let signals = configuration.signals?.place.map { [$0] } ?? []
        let places = configuration.listeners.map(\.place) + [configuration.administration] + signals
        unused = activation.descriptors.keys.filter { !places.contains(.activation($0)) }.sorted()
    }

    var count: Int { decisions.values.reduce(administration.count + signals.count) { $0 + $1.count } }

    var addresses: [String: [String]] { decisions.mapValues { $0.map(\.name) } }
}

extension ListenPlace {
    /// Opens the sockets of this place: one, or all that systemd passed under its name.
    ///
    /// - Throws: ``ListeningFailure``.
    func open(_ activation: SocketActivation) throws(ListeningFailure) -> [ListeningSocket] {
        switch self {
        case .tcp(let text):
            guard let address = ListenAddress(text) else { return [] }
            return [try .tcp(address)]
        case .unix(let place):
            return [try .unix(SocketPath(place.path, mode: place.mode, owner: place.owner, group: place.group))]
        case .activation(let name): return try activation.sockets(name)
        }
    }
}
#endif
