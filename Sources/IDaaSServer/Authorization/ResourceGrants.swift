internal import IDaaSWire
internal import Secrets

/// Gives clients access tokens for what users granted, and refreshes them.
///
/// A grant has a session of its own, and so everything that ends sessions ends grants: a locked user, a new password, a removed client. Its
/// refresh tokens are the session tokens of that session, with the same rotation.
package struct ResourceGrants: DomainService {
    package let environment: SharedEnvironment
    let tokens: AccessTokens

    /// The device of every grant. No request has it: a device is the SHA-256 of a fingerprint, which is longer. So a refresh token is no
    /// session token at the endpoints for apps, where it would give an id_token.
    static let device = Array("oauth.grant".utf8)

    /// A grant before its transaction.
    func draft() throws -> SessionDraft { try SessionDraft(randomness, serverKey, StatusPlaces(environment)) }

    /// Opens a grant, in the transaction that consumes the code.
    func open(
        _ draft: SessionDraft, _ access: ResourceAccess, after login: StoredSession, at now: Timestamp, in store: any StoreWriting
    ) throws -> StoredSession {
        let session = try draft.open(after: login, device: Self.device, at: now, in: store)
        try store.add(
            ResourceGrant(session: session.id, resource: access.resource, scopes: access.scopes, isRenewable: access.isRenewable))
        if var client = try store.registeredClient(session.client) { try client.noteUse(at: now, in: store) }
        return session
    }

    /// The access token of a new grant.
    func accessToken(for user: User, _ session: StoredSession, _ access: ResourceAccess) async throws -> (token: String, lifetime: Duration)
    {
        guard let resource = environment.resources.resource(access.resource) else { throw Self.refusal(.unknownTarget) }
        let token = try await tokens.issue(to: user, session, for: resource, access.scopes)
        return (token, .seconds(resource.accessTokenSeconds))
    }

    /// What a refresh asks for.
    package struct Refresh: Hashable, Sendable {
        package var token: String
        /// Nil: that of the grant.
        package var resource: String?
        /// Nil: all of the grant.
        package var scope: String?
    }

    /// A new access token, and the refresh token to continue with. A repeated refresh has the same successor for `lifetimes.retry`; a token
    /// that comes later, or from another client, is stolen or its successor is: the grant ends (RFC 9700 section 4.14.2).
    ///
    /// - Throws: COMMON.1005 with {0} = refresh_token (`invalid_grant`); COMMON.1006 with {0} = resource (`invalid_target`) for another
    ///   resource or one that is no longer configured, and with {0} = scope (`invalid_scope`) for a scope beyond the grant.
    package func refresh(
        _ refresh: Refresh, by client: Client, noting trail: AuditTrail = AuditTrail()
    ) async throws -> AuthorizationCodes.Grant {
        let now = clock.now
        let rotation = rotation(of: refresh.token, client)
        let (outcome, grant) = try await store.settle { store -> Result<(Rotation.Outcome, ResourceGrant), ServiceError> in
            guard let token = try store.sessionToken(rotation.digest), let grant = try store.resourceGrant(of: token.session),
                let session = try store.session(token.session), grant.isRenewable
            else { return .failure(Self.refusal(.unknownToken)) }
            // Before the rotation: a request that is wrong in another way costs nothing. One of another client is told nothing.
            if session.client == client.id, let refusal = fault(in: refresh, of: grant) { return .failure(refusal) }
            let outcome = try rotation.step(at: now, in: store)
            if case .going = outcome, var used = try store.registeredClient(client.id) { try used.noteUse(at: now, in: store) }
            return .success((outcome, grant))
        }
        let step = try Self.step(outcome, trail)
        guard let resource = environment.resources.resource(grant.resource) else { throw Self.refusal(.unknownTarget) }
        let scopes = refresh.scope.map { Self.scopes($0, of: grant) } ?? grant.scopes
        return AuthorizationCodes.Grant(
            accessToken: try await tokens.issue(to: step.user, step.session, for: resource, scopes), idToken: nil,
            refreshToken: step.successor, expiresIn: .seconds(resource.accessTokenSeconds), scope: scopes.joined(separator: " "),
            userID: step.user.id, sid: step.session.id)
    }

    private func rotation(of token: String, _ client: Client) -> Rotation {
        var client = client
        // A public client's refresh tokens always change (RFC 9700 section 4.14.2).
        client.settings.rotatesSessionTokens = true
        let caller = Caller(client: client, device: Self.device, deviceName: "", address: "", language: .english, requestID: "")
        return Rotation(
            digest: SessionFamily.digest(of: token), caller: caller, lifetimes: lifetimes, serverKey: serverKey, givesSuccessor: true,
            places: StatusPlaces(environment))
    }

    private func fault(in refresh: Refresh, of grant: ResourceGrant) -> ServiceError? {
        if let asked = refresh.resource, !RedirectAddress.isSame(asked, grant.resource) { return Self.refusal(.unknownTarget) }
        guard environment.resources.resource(grant.resource) != nil else { return Self.refusal(.unknownTarget) }
        guard let scope = refresh.scope else { return nil }
        let isWithin = scope.split(separator: " ").allSatisfy { $0 == OAuthMember.offlineAccess || grant.scopes.contains(String($0)) }
        return isWithin ? nil : Self.refusal(.scopeBeyondGrant)
    }

    private static func scopes(_ text: String, of grant: ResourceGrant) -> [String] {
        let asked = Set(text.split(separator: " ").map(String.init))
        return grant.scopes.filter(asked.contains)
    }

    private static func step(_ outcome: Rotation.Outcome, _ trail: AuditTrail) throws -> Rotation.Step {
        switch outcome {
        case .going(let step):
            trail.note(step.session)
            return step
        case .refused(_, let session, let revocation):
            if let session { trail.note(session) }
            if let revocation { trail.note(revocation) }
            throw refusal(.unknownToken)
        }
    }

    enum Fault { case unknownToken, unknownTarget, scopeBeyondGrant }

    static func refusal(_ fault: Fault) -> ServiceError {
        let (code, member, error): (ServiceCode, String, String) =
            switch fault {
            case .unknownToken: (.expired, OAuthMember.refreshToken, "invalid_grant")
            case .unknownTarget: (.invalidParameter, OAuthMember.resource, "invalid_target")
            case .scopeBeyondGrant: (.invalidParameter, OAuthMember.scope, "invalid_scope")
            }
        var refusal = ServiceError(code, member)
        refusal.error = error
        return refusal
    }
}
