#if IDaaS
internal import JWTCore
internal import Secrets

/// id_tokens: made here, and taken back as the bearer credential of our own endpoints.
package struct IdentityTokens: Sendable {
    private let issuer: String
    private let lifetimes: Lifetimes
    private let keys: SigningKeys
    private let store: any Store
    private let clock: any ServerClock
    private let randomness: Randomness

    init(
        issuer: String, lifetimes: Lifetimes, keys: SigningKeys, store: any Store, clock: any ServerClock, randomness: Randomness
    ) {
        self.issuer = issuer
        self.lifetimes = lifetimes
        self.keys = keys
        self.store = store
        self.clock = clock
        self.randomness = randomness
    }

    /// A new id_token of a session.
    ///
    /// - Parameter nonce: of the request that logged in; a refresh has none (OpenID Connect Core 1.0 section 12.2).
    func issue(to user: User, _ session: Session, nonce: String? = nil) async throws -> String {
        let tokenID = String(decoding: Base64URL.encode(randomness.bytes(16)), as: UTF8.self)
        let claims = IdentityClaims(
            issuer: issuer, client: session.client, user: user, session: session, tokenID: tokenID, issued: clock.now,
            lifetime: lifetimes.idToken, nonce: nonce)
        return try await keys.sign(claims: claims.json)
    }

    /// Who an id_token speaks for: verified against our own published keys, for this client, of a session that still lives. Logging
    /// out bites at the next request.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1005` with {0} = id_token, whatever is wrong with it.
    package func bearer(_ token: String, for caller: Caller) async throws -> Bearer {
        let refusal = ServiceError(.expired, "id_token")
        let now = clock.now
        let verifier = TokenVerifier(keys: try await keys.verification(), policy: policy(for: caller.client))
        let moment = NumericDate(seconds: now.seconds)
        let claimed = try? verifier.withVerified(token.utf8.span, now: moment) { claims in
            (user: claims.subject?.string, sid: claims["sid"]?.string?.string, authTime: claims.authenticationTime?.seconds)
        }
        guard let claimed, let user = claimed.user, let sid = claimed.sid, let authTime = claimed.authTime else { throw refusal }
        guard let session = try await store.read({ try $0.session(sid) }), session.user == user, session.client == caller.client.id,
            session.isLive(at: now, lifetimes)
        else { throw refusal }
        return Bearer(userID: user, clientID: session.client, sid: sid, authTime: Timestamp(seconds: authTime))
    }

    private func policy(for client: Client) -> ClaimsPolicy {
        var policy = ClaimsPolicy.idToken(issuer: issuer, clientID: client.id)
        policy.requiredClaims += ["sid", "auth_time", "jti"]
        return policy
    }
}

/// Whom a verified id_token speaks for.
package struct Bearer: Hashable, Sendable {
    package let userID: String
    package let clientID: String
    package let sid: String
    /// When the user proved to be the one, however often the token was refreshed since.
    package let authTime: Timestamp
}
#endif
