internal import JWTCore

/// A trusted issuer in use, with its keys and its policy.
final class TrustedIssuer: Sendable {
    let configuration: IssuerConfiguration
    let route: TokenRoute<RemoteKeySet>

    var keys: RemoteKeySet { route.keys }
    var issuer: String { configuration.issuer }
    var isRequired: Bool { configuration.isRequired }

    /// - Parameter surroundings: shared by the key sets of many issuers.
    init(_ configuration: IssuerConfiguration, _ surroundings: Surroundings) {
        self.configuration = configuration
        let budget = surroundings.budget, observer = surroundings.observer
        let keys = RemoteKeySet(
            configuration.source, failover: configuration.failover, policy: configuration.refresh,
            transport: configuration.transport ?? surroundings.transport, storage: configuration.storage,
            loading: configuration.isRequired ? .eager : .lazy, clock: surroundings.clock
        ) { event in
            if case .installed = event.kind { budget.enforce() }
            observer?(event)
        }
        route = TokenRoute(policy: Self.policy(configuration), keys: keys)
        if !configuration.isRequired { budget.add(keys) }
    }

    /// The same keys under a changed policy.
    init(keysOf old: TrustedIssuer, _ configuration: IssuerConfiguration) {
        self.configuration = configuration
        route = TokenRoute(policy: Self.policy(configuration), keys: old.keys)
    }

    /// Tokens under these keys must name this issuer.
    private static func policy(_ configuration: IssuerConfiguration) -> ClaimsPolicy {
        var policy = configuration.policy
        policy.issuers = [configuration.issuer]
        return policy
    }

    /// Shared by the key sets of many issuers.
    struct Surroundings: Sendable {
        let transport: any DocumentTransport
        let clock: any ElapsedClock
        /// Gives the time that tokens are judged for.
        let date: any UnixClock
        let budget: DocumentBudget
        let observer: (@Sendable (RefreshEvent) -> Void)?
    }
}
