internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// Exchanges authorization codes for tokens, and answers for those tokens.
package struct AuthorizationCodes: DomainService {
    package let environment: SharedEnvironment
    let tokens: IdentityTokens

    package struct Grant: Hashable, Sendable {
        package let accessToken: String
        package let idToken: String
        package let expiresIn: Duration
        package let userID: String
        package let sid: String
    }

    /// The application at the token endpoint.
    package struct Credentials: Hashable, Sendable {
        package let id: String
        /// Nil for a public client.
        package let secret: String?

        package init(id: String, secret: String?) {
            self.id = id
            self.secret = secret
        }
    }

    /// Exchanges a code, once. A code that comes again ends the session that it gave: it or its tokens are stolen (RFC 6749 section 4.1.2).
    ///
    /// - Throws: `RequestRefusal` 401 (`invalid_client`); COMMON.1005 with {0} = code (`invalid_grant`) for a code that is used, old, of
    ///   another client or address, or whose verifier does not fit.
    package func exchange(code: String, redirectURI: String, verifier: String, by credentials: Credentials) async throws -> Grant {
        let client = try await authenticated(credentials)
        var refusal = ServiceError(.expired, OAuthMember.code)
        refusal.error = "invalid_grant"
        let (now, key) = (clock.now, Digest256.of(Array(code.utf8)))
        let access = randomness.token(characters: 43, alphabet: .base62)
        let (user, session, nonce) = try await store.settle {
            [refusal, lifetimes, places = StatusPlaces(environment)] store -> Result<(User, StoredSession, String?), ServiceError> in
            guard let record = try store.singleUse(.authorizationCode, key), record.client == client.id else { return .failure(refusal) }
            let content = try ParsedJSON(record.content).decode(AuthorizationRequests.Content.self)
            guard var session = try content.session.flatMap({ try store.session($0) }) else { return .failure(refusal) }
            guard try store.consume(.authorizationCode, key, at: now, outcome: nil) else {
                if record.consumed != nil { try session.end(at: now, in: store, by: .policy) }
                return .failure(refusal)
            }
            let challenge = String(decoding: Base64URL.encode(Digest256.of(Array(verifier.utf8))), as: UTF8.self)
            guard RedirectAddress.isSame(redirectURI, content.redirectURI),
                equalInConstantTime(Array(challenge.utf8), Array(content.challenge.utf8)),
                session.isLive(at: now, lifetimes), let user = try store.user(session.user), !user.isLocked
            else { return .failure(refusal) }
            try store.save(
                SingleUse(
                    purpose: .accessToken, key: Digest256.of(Array(access.utf8)), client: client.id, device: session.device,
                    content: Array(session.id.utf8), created: now, expires: now + lifetimes.idToken))
            try places.complete(&session, at: now, in: store)
            return .success((user, session, content.nonce))
        }
        return Grant(
            accessToken: access, idToken: try await tokens.issue(to: user, session, nonce: nonce), expiresIn: lifetimes.idToken,
            userID: user.id, sid: session.id)
    }

    /// The user of an access token.
    ///
    /// - Throws: `RequestRefusal` 401 with COMMON.1005 and {0} = access_token (`invalid_token`), for one of an ended session too.
    package func user(of accessToken: String) async throws -> User {
        let (now, lifetimes, key) = (clock.now, lifetimes, Digest256.of(Array(accessToken.utf8)))
        let user = try await store.read { store -> User? in
            guard let record = try store.singleUse(.accessToken, key), record.isLive(at: now),
                let session = try store.session(String(decoding: record.content, as: UTF8.self)), session.isLive(at: now, lifetimes)
            else { return nil }
            return try store.user(session.user)
        }
        guard let user, !user.isLocked else {
            var refusal = ServiceError(.expired, OAuthMember.accessToken)
            refusal.error = "invalid_token"
            throw RequestRefusal.unauthorized(refusal)
        }
        return user
    }

    /// Ends the session of an id_token (OpenID Connect RP-Initiated Logout 1.0), and gives the address to send the browser to; nil for none.
    ///
    /// - Throws: COMMON.1005 with {0} = id_token_hint for anything that we did not issue to a client; COMMON.1006 for an address that is not
    ///   registered.
    package func end(hint: String, redirectURI: String?, state: String?) async throws -> (session: StoredSession?, redirect: String?) {
        guard let (client, sid) = try await tokens.owner(ofHint: hint), let known = try await store.read({ try $0.client(client) }) else {
            throw ServiceError(.expired, OAuthMember.idTokenHint)
        }
        if let redirectURI, known.settings.web?.logoutRedirectURIs.contains(where: { RedirectAddress.isSame(redirectURI, $0) }) != true {
            throw ServiceError(.invalidParameter, OAuthMember.logoutRedirectURI)
        }
        let now = clock.now
        let session = try await store.write { store -> StoredSession? in
            guard var session = try store.session(sid), session.client == client else { return nil }
            try session.end(at: now, in: store, by: .user)
            return session
        }
        let members = state.map { [(OAuthMember.state, $0)] } ?? []
        return (session, redirectURI.map { RedirectAddress.text($0, adding: members) })
    }

    private func authenticated(_ credentials: Credentials) async throws -> Client {
        var refusal = ServiceError(.unknownClient)
        refusal.error = "invalid_client"
        let client = try await store.read { try $0.client(credentials.id) }
        let expected = client?.settings.web?.secretDigest
        let offered = credentials.secret.map { Digest256.of(Array($0.utf8)) }
        guard let client, client.settings.web != nil, (expected == nil) == (offered == nil),
            equalInConstantTime(expected ?? [], offered ?? [])
        else { throw RequestRefusal.unauthenticated(refusal) }
        return client
    }
}
