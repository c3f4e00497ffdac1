public import JWKSCache
internal import JWTCore

/// Verifies id_tokens of the tenant, and says who they are of.
///
/// The signature comes first, by a key of the issuer alone; then issuer, expiry, audience and the other dates. Dates are judged by the
/// server's clock.
public struct IDTokenVerification: Sendable {
    /// The issuer's keys: fetched when first wanted, kept fresh from then on.
    public let keys: RemoteKeySet
    private let configuration: FlowConfiguration
    private let discovered: DiscoveredAlgorithms
    private let serverClock: CorrectedClock
    private let store: any SessionStore

    init(_ configuration: FlowConfiguration, _ environment: FlowEnvironment, _ serverClock: CorrectedClock) {
        self.configuration = configuration
        self.serverClock = serverClock
        store = environment.store
        let discovered = DiscoveredAlgorithms(configuration.issuer, over: environment.keyTransport, serverClock)
        self.discovered = discovered
        var policy = RefreshPolicy()
        policy.waitBudget = .interactive
        keys = RemoteKeySet(
            configuration.keySource, policy: policy, transport: discovered, storage: environment.keyStorage, loading: .lazy,
            clock: environment.clock)
    }

    /// Verifies a token, and says who it is of.
    ///
    /// - Parameter nonce: what the login carried, where it carried one.
    public func verify(_ idToken: String, nonce: String? = nil) async -> IDTokenOutcome {
        guard !idToken.isEmpty else { return .missingInput(FlowError(.missingInput("id_token"))) }
        let outcome = await judged(idToken, nonce)
        configuration.log.write("id_token \(Masked.token(idToken)): legacy code \(outcome.legacyCode)")
        return outcome
    }

    /// The same: who a token is of is known only where it is verified. To look into a token that is not, there is `UnverifiedClaims`.
    public func userInfo(of idToken: String) async -> IDTokenOutcome { await verify(idToken) }

    private func judged(_ idToken: String, _ nonce: String?) async -> IDTokenOutcome {
        if serverClock.stored == nil { serverClock.remember(try? await store.contents().clockOffset) }
        do throws(VerificationError) {
            // The date of each try: the fetch of a key before it may have corrected the clock.
            let token = try await keys.retrying { () throws(VerificationError) in
                try verifier(nonce, hasAudience: true).verify(idToken, now: serverClock.now)
            }
            guard let user = UserInfo(token, configuration.profile) else {
                return .refused(VerificationError(.missingClaim, claim: .subject))
            }
            return .verified(user)
        } catch {
            if Task.isCancelled, error.code == .keysUnavailable { return .cancelled }
            let outcome = IDTokenOutcome(error)
            guard case .audienceMismatch = outcome, isExpired(idToken, serverClock.now) else { return outcome }
            return .expired(VerificationError(.expired, claim: .expiration))
        }
    }

    /// Whether a token for somebody else has expired besides: that comes first.
    private func isExpired(_ idToken: String, _ now: NumericDate) -> Bool {
        do throws(VerificationError) {
            _ = try verifier(nil, hasAudience: false).verify(idToken, now: now)
            return false
        } catch {
            return error.code == .expired
        }
    }

    private func verifier(_ nonce: String?, hasAudience: Bool) -> TokenVerifier<RemoteKeySet> {
        var policy = configuration.claimsPolicy
        policy.algorithms = discovered.allowed(of: configuration.algorithms)
        policy.nonce = nonce
        if !hasAudience {
            policy.audiences = []
            policy.requiresTrustedAudiences = false
        }
        return TokenVerifier(keys: keys, policy: policy)
    }
}

extension FlowConfiguration {
    fileprivate var claimsPolicy: ClaimsPolicy {
        var policy: ClaimsPolicy =
            switch profile {
            case .standard: .idToken(issuer: issuer, clientID: clientID)
            case .legacyEIAM: .idToken(issuer: "Issuer", clientID: "Audience")
            }
        policy.leeway = leeway
        return policy
    }

    /// An old token does not say whose it is, so that its keys have to: they are those of the tenant's own domain.
    fileprivate var keySource: KeySetSource {
        if profile == .legacyEIAM { return .jwks(url: domain + "/api/v1/oauth2/keys") }
        return keysURL.map { .jwks(url: $0) } ?? .issuer(issuer)
    }
}
