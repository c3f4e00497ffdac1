internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// Issues id_tokens, and verifies them as the bearer credential of our own endpoints.
package struct IdentityTokens: DomainService {
    package let environment: SharedEnvironment
    let keys: SigningKeys

    /// Issues a new id_token of a session.
    ///
    /// - Parameter nonce: from the login request; a refresh has none (OpenID Connect Core 1.0 section 12.2).
    func issue(to user: User, _ session: StoredSession, nonce: String? = nil) async throws -> String {
        let tokenID = String(decoding: Base64URL.encode(randomness.bytes(16)), as: UTF8.self)
        let claims = IdentityClaims(
            issuer: environment.issuer, client: session.client, user: user, session: session, tokenID: tokenID, issued: clock.now,
            lifetime: lifetimes.idToken, nonce: nonce, status: environment.value.status(of: session))
        return try await keys.sign(claims: claims.json.text)
    }

    /// The subject of an id_token: verified with our own published keys, for this client, of a live session. Logout takes effect
    /// immediately.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1005` with {0} = id_token for any fault.
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

    /// The client and the session of an id_token that we issued at any time: for the end of a session, an expired one is good enough.
    func owner(ofHint token: String) async throws -> (client: String, session: String)? {
        var policy = ClaimsPolicy()
        policy.issuers = [environment.issuer]
        policy.types = ["", "JWT"]
        policy.leeway = lifetimes.sessionAbsolute
        let verifier = TokenVerifier(keys: try await keys.verification(), policy: policy)
        let claimed = try? verifier.withVerified(token.utf8.span, now: NumericDate(seconds: clock.now.seconds)) { claims in
            (client: claims["azp"]?.string?.string, session: claims["sid"]?.string?.string)
        }
        guard let client = claimed?.client, let session = claimed?.session else { return nil }
        return (client, session)
    }

    private func policy(for client: Client) -> ClaimsPolicy {
        var policy = ClaimsPolicy.idToken(issuer: environment.issuer, clientID: client.id)
        policy.requiredClaims += ["sid", "auth_time", "jti"]
        return policy
    }
}

extension ServiceEnvironment {
    /// The place that tokens of a session name; nil without status lists.
    func status(of session: StoredSession) -> IdentityClaims.Status? {
        guard statusLists.isEnabled, let place = session.status else { return nil }
        return IdentityClaims.Status(index: place.index, uri: statusListURI(place.list))
    }
}

/// The subject of a verified id_token.
package struct Bearer: Hashable, Sendable {
    package let userID: String
    package let clientID: String
    package let sid: String
    /// When the user logged in. A refresh does not change it.
    package let authTime: Timestamp
}
