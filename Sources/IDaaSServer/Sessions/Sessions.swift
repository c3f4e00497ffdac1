package import IDaaSWire
internal import Secrets

/// Refreshes, lists and ends sessions.
///
/// Each call notes the session's owner in its `trail`, and the reason if the server ended the session, even when the call is refused.
package struct Sessions: DomainService {
    package let environment: SharedEnvironment
    let tokens: IdentityTokens
    let signatures: RequestSignatures

    // Refresh

    /// A new id_token, and the session token to continue with.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1005` with {0} = session_token.
    package func refresh(
        sessionToken: String, for caller: Caller, noting trail: AuditTrail = AuditTrail()
    ) async throws -> Authentication {
        let rotation = rotation(of: sessionToken, caller, givesSuccessor: true)
        let now = clock.now
        let step = try Self.step(try await store.write { try rotation.step(at: now, in: $0) }, trail)
        return try await authentication(step.successor ?? sessionToken, step.user, step.session)
    }

    /// Refreshes with `X-signature`. The reply has no room for a successor, so the session token stays.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1004` for a signature that is invalid, late, early or repeated, COMMON.1014 without a key, COMMON.1005
    ///   with {0} = session_token.
    package func refresh(
        signature: String, for caller: Caller, noting trail: AuditTrail = AuditTrail()
    ) async throws -> Authentication {
        let now = clock.now
        let request = try signatures.open(signature, for: caller, at: now)
        trail.note(token: request.sessionToken)
        let rotation = rotation(of: request.sessionToken, caller, givesSuccessor: false)
        let outcome = try await store.write { store -> Rotation.Outcome in
            let session = try Self.session(of: rotation.digest, in: store)
            guard try isFirst(request, for: session, at: now, in: store) else {
                return .refused(ServiceError(.undecryptableSignature), session)
            }
            return try rotation.step(at: now, in: store)
        }
        let step = try Self.step(outcome, trail)
        return try await authentication(request.sessionToken, step.user, step.session)
    }

    private static func step(_ outcome: Rotation.Outcome, _ trail: AuditTrail) throws(ServiceError) -> Rotation.Step {
        switch outcome {
        case .going(let step):
            trail.note(step.session)
            return step
        case .refused(let refusal, let session, let revocation):
            if let session { trail.note(session) }
            if let revocation { trail.note(revocation) }
            throw refusal
        }
    }

    /// Whether this is the first use of a signed request.
    ///
    /// The server stores a nonce only for a live session. Otherwise anybody with the public key could fill the store with nonces of made-up
    /// tokens. For an ended session a repetition has no effect, and the answer is that of an unknown one.
    private func isFirst(
        _ request: RequestSignatures.Request, for session: StoredSession?, at now: Timestamp, in store: any StoreWriting
    ) throws -> Bool {
        guard let session, session.isLive(at: now, lifetimes) else {
            return try store.singleUse(request.nonce.purpose, request.nonce.key) == nil
        }
        return try store.insert(request.nonce)
    }

    /// The session of a token of any generation, live or ended.
    private static func session(of digest: [UInt8], in store: any StoreReading) throws -> StoredSession? {
        guard let token = try store.sessionToken(digest) else { return nil }
        return try store.session(token.session)
    }

    private func rotation(of sessionToken: String, _ caller: Caller, givesSuccessor: Bool) -> Rotation {
        Rotation(
            digest: SessionFamily.digest(of: sessionToken), caller: caller, lifetimes: lifetimes, serverKey: serverKey,
            givesSuccessor: givesSuccessor, places: StatusPlaces(environment))
    }

    // Logging out

    /// Ends the session; with `everywhere`, all sessions of its user with this client. A token that is no longer valid is not an error.
    package func logOut(
        sessionToken: String, everywhere: Bool, for caller: Caller, noting trail: AuditTrail = AuditTrail()
    ) async throws {
        let (now, digest) = (clock.now, SessionFamily.digest(of: sessionToken))
        let session = try await store.write { try end(digest, everywhere: everywhere, caller, at: now, in: $0) }
        if let session { trail.note(session) }
    }

    /// - Throws: `IDAAS.SDK.COMMON.1004`, COMMON.1014.
    package func logOut(
        signature: String, everywhere: Bool, for caller: Caller, noting trail: AuditTrail = AuditTrail()
    ) async throws {
        let now = clock.now
        let request = try signatures.open(signature, for: caller, at: now)
        trail.note(token: request.sessionToken)
        let digest = SessionFamily.digest(of: request.sessionToken)
        let (session, isNew) = try await store.write { store in
            let session = try Self.session(of: digest, in: store)
            guard try isFirst(request, for: session, at: now, in: store) else { return (session, false) }
            return (try end(digest, everywhere: everywhere, caller, at: now, in: store), true)
        }
        if let session { trail.note(session) }
        guard isNew else { throw ServiceError(.undecryptableSignature) }
    }

    /// Any token of a session, even an old one, may end that session. Only a live token, from its own client and device, may end the other
    /// sessions, because an old token may be stolen.
    ///
    /// - Returns: the session of the token.
    private func end(
        _ digest: [UInt8], everywhere: Bool, _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> StoredSession? {
        guard let token = try store.sessionToken(digest), var session = try store.session(token.session) else { return nil }
        let isTheirs = session.isLive(at: now, lifetimes) && token.isHonoured(at: now, lifetimes) && session.belongs(to: caller)
        if everywhere, isTheirs {
            try store.end(SessionSelection(user: session.user, client: session.client), at: now, by: .user)
        } else {
            try session.end(at: now, in: store, by: .user)
        }
        return session
    }

    // Own sessions

    /// The live sessions of the bearer with its client, newest first.
    package func list(of bearer: Bearer) async throws -> [SessionSummary] {
        let (now, lifetimes) = (clock.now, lifetimes)
        return try await store.read { store in
            try store.sessions(of: bearer.userID).filter { $0.client == bearer.clientID && $0.isLive(at: now, lifetimes) }.map {
                SessionSummary(
                    id: $0.id, deviceName: $0.deviceName, authenticated: $0.authenticated.serverDate, used: $0.used.serverDate,
                    expires: $0.expires(lifetimes).serverDate, isCurrent: $0.id == bearer.sid)
            }
        }
    }

    /// Ends one of the bearer's sessions. Ending it twice is not an error.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1006` with {0} = id for a session that is not the bearer's.
    package func end(_ id: String, by bearer: Bearer, noting trail: AuditTrail = AuditTrail()) async throws {
        let now = clock.now
        let session = try await store.settle { store -> Result<StoredSession, ServiceError> in
            guard var session = try store.session(id), session.user == bearer.userID, session.client == bearer.clientID else {
                return .failure(ServiceError(.invalidParameter, "id"))
            }
            try session.end(at: now, in: store, by: .user)
            return .success(session)
        }
        trail.note(session)
    }

    // For logins

    func draft() throws -> SessionDraft { try SessionDraft(randomness, serverKey, StatusPlaces(environment)) }

    /// The answer of the login that opened a session, for the first time or again. The session token is derived, so that nothing has to be
    /// stored for a lost reply.
    ///
    /// - Throws: COMMON.1005 with {0} = session_token if the session ended meanwhile.
    func firstAuthentication(of id: String, nonce: String?) async throws -> Authentication {
        let now = clock.now
        guard
            let (session, user) = try await store.read({ store -> (StoredSession, User)? in
                guard let session = try store.session(id), let user = try store.user(session.user) else { return nil }
                return (session, user)
            }), session.isLive(at: now, lifetimes), !user.isLocked
        else { throw ServiceError(.expired, "session_token") }
        let family = SessionFamily(key: try serverKey.open(session.sealedFamilyKey, as: .family(session: id)))
        return try await authentication(family.token(0), user, session, nonce: nonce)
    }

    /// The answer of a login or refresh.
    func authentication(
        _ sessionToken: String, _ user: User, _ session: StoredSession, nonce: String? = nil
    ) async throws -> Authentication {
        Authentication(
            sessionToken: sessionToken, expire: session.expires(lifetimes).secondsDown(from: session.used),
            idToken: try await tokens.issue(to: user, session, nonce: nonce), idTokenExpiresIn: lifetimes.idToken, userID: user.id,
            sid: session.id)
    }
}

extension Timestamp {
    fileprivate var serverDate: ServerDate { ServerDate(milliseconds: milliseconds) }

    /// The time from `start` until this instant, rounded down to whole seconds.
    fileprivate func secondsDown(from start: Timestamp) -> Duration { .seconds(max(0, (milliseconds - start.milliseconds) / 1_000)) }
}
