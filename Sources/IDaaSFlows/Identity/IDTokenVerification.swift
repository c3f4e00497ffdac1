internal import IDaaSWire
public import JWKSCache
internal import JWTCore

/// Verifies the tenant's id_tokens and returns their user.
///
/// Checks the signature first, with the issuer's keys only; then the issuer, expiry, audience and the other dates. Dates are compared with
/// the server's clock.
public struct IDTokenVerification: Sendable {
    /// The issuer's keys. The first verification fetches them, and they are refreshed later.
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

    /// Verifies a token and returns its user.
    ///
    /// - Parameters:
    ///   - idToken: the token, in compact form.
    ///   - nonce: the nonce of the login, if it had one.
    public func verify(_ idToken: String, nonce: String? = nil) async -> IDTokenOutcome {
        guard !idToken.isEmpty else { return .missingInput(FlowError(.missingInput(WireMember.idToken))) }
        await discovered.restore(from: store)
        let outcome = await judged(idToken, nonce)
        await discovered.save(to: store)
        configuration.log.write("id_token \(Masked.token(idToken)): legacy code \(outcome.legacyCode)")
        return outcome
    }

    /// Same as ``verify(_:nonce:)`` without a nonce. `UnverifiedClaims` reads a token without verifying it.
    public func userInfo(of idToken: String) async -> IDTokenOutcome { await verify(idToken) }

    private func judged(_ idToken: String, _ nonce: String?) async -> IDTokenOutcome {
        if serverClock.stored == nil { serverClock.remember(try? await store.contents().clockOffset) }
        do throws(VerificationError) {
            // Each attempt reads the date again: fetching a key may have corrected the clock.
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

    /// Whether a token for another client has also expired: expiry is reported first.
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
        policy.leeway = max(.zero, leeway)
        return policy
    }

    /// An old token does not name its tenant, so its keys identify the tenant: they are the keys of the tenant's own domain.
    fileprivate var keySource: KeySetSource {
        if profile == .legacyEIAM { return .jwks(url: domain + WirePath.keys) }
        return keysURL.map { .jwks(url: $0) } ?? .issuer(issuer)
    }
}
