#if IDaaS
internal import Secrets

/// Sessions: refreshed, listed, ended.
///
/// Whose session it is, and why it ended where nobody asked for that, is noted in the `trail` of a call also where that is refused.
package struct Sessions: Sendable {
    let store: any Store
    let clock: any ServerClock
    let randomness: Randomness
    let lifetimes: Lifetimes
    let serverKey: ServerKey
    let tokens: IdentityTokens
    let signatures: RequestSignatures

    // Refresh

    /// A new id_token, and the session token to go on with.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1005` with {0} = session_token.
    package func refresh(
        sessionToken: String, for caller: Caller, noting trail: AuditTrail = AuditTrail()
    ) async throws -> Authentication {
        guard !sessionToken.isEmpty else { throw ServiceError(.missingParameter, "session-token") }
        let rotation = rotation(of: sessionToken, caller, givesSuccessor: true)
        let now = clock.now
        let step = try Self.step(try await store.write { try rotation.step(at: now, in: $0) }, trail)
        return try await authentication(step.successor ?? sessionToken, step.user, step.session)
    }

    /// The same with `X-signature`. Its reply has no room for a successor, so the session token stays.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1004` for a signature that is none, late, early or repeated, COMMON.1014 without a key, COMMON.1005
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

    /// Whether a signed request was not made before.
    ///
    /// A nonce is kept for a living session alone: whoever has the public key could fill the store with those of tokens that there are
    /// none of. For a dead session nothing is done that could be done twice, and it is answered as one that there never was.
    private func isFirst(
        _ request: RequestSignatures.Request, for session: Session?, at now: Timestamp, in store: any StoreWriting
    ) throws -> Bool {
        guard let session, session.isLive(at: now, lifetimes) else {
            return try store.singleUse(request.nonce.purpose, request.nonce.key) == nil
        }
        return try store.insert(request.nonce)
    }

    /// The session of a token of any generation, dead or alive.
    private static func session(of digest: [UInt8], in store: any StoreReading) throws -> Session? {
        guard let token = try store.sessionToken(digest) else { return nil }
        return try store.session(token.session)
    }

    private func rotation(of sessionToken: String, _ caller: Caller, givesSuccessor: Bool) -> Rotation {
        Rotation(
            digest: SessionFamily.digest(of: sessionToken), caller: caller, lifetimes: lifetimes, serverKey: serverKey,
            givesSuccessor: givesSuccessor)
    }

    // Logging out

    /// Ends the session; `everywhere`, all sessions of its user with this client. A token that is dead already is no error.
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

    /// Whoever has a token, if only an old one, may end its session; the other sessions only who has one that lives, where it belongs:
    /// one that was rotated away may have been found anywhere.
    ///
    /// - Returns: the session of the token.
    private func end(
        _ digest: [UInt8], everywhere: Bool, _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws -> Session? {
        guard let token = try store.sessionToken(digest), var session = try store.session(token.session) else { return nil }
        let isTheirs = session.isLive(at: now, lifetimes) && token.isHonoured(at: now, lifetimes) && session.belongs(to: caller)
        if everywhere, isTheirs {
            for var other in try store.sessions(of: session.user) where other.client == session.client {
                try other.end(at: now, in: store)
            }
        } else {
            try session.end(at: now, in: store)
        }
        return session
    }

    // Own sessions

    /// The living sessions of the bearer with its client, the newest first.
    package func list(of bearer: Bearer) async throws -> [SessionSummary] {
        let (now, lifetimes) = (clock.now, lifetimes)
        return try await store.read { store in
            try store.sessions(of: bearer.userID).filter { $0.client == bearer.clientID && $0.isLive(at: now, lifetimes) }.map {
                SessionSummary(
                    id: $0.id, deviceName: $0.deviceName, authenticated: $0.authenticated, used: $0.used,
                    expires: $0.expires(lifetimes), isCurrent: $0.id == bearer.sid)
            }
        }
    }

    /// Ends one of them. One that has ended already is no error.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1006` with {0} = id for a session that is not the bearer's.
    package func end(_ id: String, by bearer: Bearer, noting trail: AuditTrail = AuditTrail()) async throws {
        let now = clock.now
        let session = try await store.settle { store -> Result<Session, ServiceError> in
            guard var session = try store.session(id), session.user == bearer.userID, session.client == bearer.clientID else {
                return .failure(ServiceError(.invalidParameter, "id"))
            }
            try session.end(at: now, in: store)
            return .success(session)
        }
        trail.note(session)
    }

    // For logins

    func draft() throws -> SessionDraft { try SessionDraft(randomness, serverKey) }

    /// What a login or refresh answers.
    func authentication(
        _ sessionToken: String, _ user: User, _ session: Session, nonce: String? = nil
    ) async throws -> Authentication {
        Authentication(
            sessionToken: sessionToken, expire: session.expires(lifetimes).secondsDown(from: session.used),
            idToken: try await tokens.issue(to: user, session, nonce: nonce), idTokenExpiresIn: lifetimes.idToken, userID: user.id,
            sid: session.id)
    }
}

extension Timestamp {
    /// The whole seconds from `start` until this instant, rounded down: before so many have gone by it has not come.
    fileprivate func secondsDown(from start: Timestamp) -> Int { max(0, Int((milliseconds - start.milliseconds) / 1_000)) }
}
#endif
