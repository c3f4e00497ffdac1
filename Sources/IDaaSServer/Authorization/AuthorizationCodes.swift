internal import IDaaSWire
internal import JWTCore
internal import Secrets

/// Exchanges authorization codes for tokens, and answers for those tokens.
package struct AuthorizationCodes: DomainService {
    package let environment: SharedEnvironment
    let tokens: IdentityTokens
    let grants: ResourceGrants

    /// What the token endpoint answers.
    package struct Grant: Hashable, Sendable {
        package let accessToken: String
        package let idToken: String?
        package let refreshToken: String?
        /// Of the access token.
        package let expiresIn: Duration
        package let scope: String
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

    /// A code as an application presents it.
    package struct Presented: Hashable, Sendable {
        package var code: String
        package var redirectURI: String
        package var verifier: String
        /// RFC 8707 section 2.2: the resource of the request again; nil: the same.
        package var resource: String?

        package init(code: String, redirectURI: String, verifier: String, resource: String? = nil) {
            self.code = code
            self.redirectURI = redirectURI
            self.verifier = verifier
            self.resource = resource
        }
    }

    /// What a code was given for.
    private struct Redeemed {
        let user: User
        /// That of the login, or of the grant that the code has opened.
        let session: StoredSession
        let content: AuthorizationRequests.Content
    }

    /// Exchanges a code, once. A code that comes again ends the session that it gave: it or its tokens are stolen (RFC 6749 section 4.1.2).
    ///
    /// - Throws: `RequestRefusal` 401 (`invalid_client`); COMMON.1005 with {0} = code (`invalid_grant`) for a code that is used, old, of
    ///   another client or address, or whose verifier does not fit; COMMON.1006 with {0} = resource (`invalid_target`) for another resource.
    package func exchange(_ presented: Presented, by credentials: Credentials) async throws -> Grant {
        let client = try await authenticated(credentials)
        let (now, key) = (clock.now, Digest256.of(Array(presented.code.utf8)))
        let (access, draft) = (randomness.token(characters: 43, alphabet: .base62), try grants.draft())
        let redeemed = try await store.settle {
            [lifetimes, grants, places = StatusPlaces(environment)] store -> Result<Redeemed, ServiceError> in
            let redeemed = try redeem(presented, key, of: client, opening: draft.id, at: now, in: store)
            guard case .success(let login) = redeemed else { return redeemed }
            var session = login.session
            if let access = login.content.access {
                session = try grants.open(draft, access, after: session, at: now, in: store)
            } else {
                try store.save(
                    SingleUse(
                        purpose: .accessToken, key: Digest256.of(Array(access.utf8)), client: client.id, device: session.device,
                        content: Array(session.id.utf8), created: now, expires: now + lifetimes.idToken))
                try places.complete(&session, at: now, in: store)
            }
            return .success(Redeemed(user: login.user, session: session, content: login.content))
        }
        return try await grant(redeemed, access, refresh: draft.token)
    }

    /// Consumes a code.
    ///
    /// - Parameter draft: the session that a code for a resource will open, noted in the code's record.
    private func redeem(
        _ presented: Presented, _ key: [UInt8], of client: Client, opening draft: String, at now: Timestamp, in store: any StoreWriting
    ) throws -> Result<Redeemed, ServiceError> {
        var refusal = ServiceError(.expired, OAuthMember.code)
        refusal.error = "invalid_grant"
        guard let record = try store.singleUse(.authorizationCode, key), record.client == client.id else { return .failure(refusal) }
        let content = try ParsedJSON(record.content).decode(AuthorizationRequests.Content.self)
        guard var session = try (record.outcome ?? content.session).flatMap({ try store.session($0) }) else { return .failure(refusal) }
        guard try store.consume(.authorizationCode, key, at: now, outcome: content.access == nil ? nil : draft) else {
            if record.consumed != nil { try session.end(at: now, in: store, by: .policy) }
            return .failure(refusal)
        }
        let challenge = String(decoding: Base64URL.encode(Digest256.of(Array(presented.verifier.utf8))), as: UTF8.self)
        guard RedirectAddress.isSame(presented.redirectURI, content.redirectURI),
            equalInConstantTime(Array(challenge.utf8), Array(content.challenge.utf8)),
            session.isLive(at: now, lifetimes), let user = try store.user(session.user), !user.isLocked
        else { return .failure(refusal) }
        guard presented.resource.map({ RedirectAddress.isSame($0, content.access?.resource ?? "") }) ?? true else {
            return .failure(ResourceGrants.refusal(.unknownTarget))
        }
        return .success(Redeemed(user: user, session: session, content: content))
    }

    private func grant(_ redeemed: Redeemed, _ access: String, refresh: String) async throws -> Grant {
        let (user, session, content) = (redeemed.user, redeemed.session, redeemed.content)
        guard let asked = content.access else {
            return Grant(
                accessToken: access, idToken: try await tokens.issue(to: user, session, nonce: content.nonce), refreshToken: nil,
                expiresIn: lifetimes.idToken, scope: "openid", userID: user.id, sid: session.id)
        }
        let (token, lifetime) = try await grants.accessToken(for: user, session, asked)
        return Grant(
            accessToken: token, idToken: asked.hasIDToken ? try await tokens.issue(to: user, session, nonce: content.nonce) : nil,
            refreshToken: asked.isRenewable ? refresh : nil, expiresIn: lifetime, scope: asked.granted.joined(separator: " "),
            userID: user.id, sid: session.id)
    }

    /// A new access token for a refresh token.
    ///
    /// - Throws: `RequestRefusal` 401 (`invalid_client`); what ``ResourceGrants/refresh(_:by:noting:)`` throws.
    package func refresh(
        _ refresh: ResourceGrants.Refresh, by credentials: Credentials, noting trail: AuditTrail = AuditTrail()
    ) async throws -> Grant {
        try await grants.refresh(refresh, by: try await authenticated(credentials), noting: trail)
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
