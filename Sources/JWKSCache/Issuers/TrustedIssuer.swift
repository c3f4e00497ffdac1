internal import JWTCore

/// A trusted issuer at work: its keys and its policy, belonging together.
final class TrustedIssuer: Sendable {
    let configuration: IssuerConfiguration
    let route: TokenRoute<RemoteKeySet>

    var keys: RemoteKeySet { route.keys }
    var issuer: String { configuration.issuer }
    var isRequired: Bool { configuration.isRequired }

    /// - Parameter surroundings: what its key set works with.
    init(_ configuration: IssuerConfiguration, _ surroundings: Surroundings) {
        self.configuration = configuration
        let budget = surroundings.budget, observer = surroundings.observer
        let keys = RemoteKeySet(
            configuration.source, failover: configuration.failover, policy: configuration.refresh, transport: surroundings.transport,
            storage: configuration.storage, loading: configuration.isRequired ? .eager : .lazy, clock: surroundings.clock
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

    /// Tokens under these keys are of this issuer or of nobody.
    private static func policy(_ configuration: IssuerConfiguration) -> ClaimsPolicy {
        var policy = configuration.policy
        policy.issuers = [configuration.issuer]
        return policy
    }

    /// What the key sets of many issuers share.
    struct Surroundings: Sendable {
        let transport: any DocumentTransport
        let clock: any ElapsedClock
        let budget: DocumentBudget
        let observer: (@Sendable (RefreshEvent) -> Void)?
    }
}
