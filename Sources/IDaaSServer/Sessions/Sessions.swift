#if IDaaS
internal import Secrets

/// Sessions: refreshed, listed, ended.
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
    package func refresh(sessionToken: String, for caller: Caller) async throws -> Authentication {
        guard !sessionToken.isEmpty else { throw ServiceError(.missingParameter, "session-token") }
        let rotation = rotation(of: sessionToken, caller, givesSuccessor: true)
        let now = clock.now
        let step = try await store.settle { try rotation.step(at: now, in: $0) }
        return try await authentication(step.successor ?? sessionToken, step.user, step.session)
    }

    /// The same with `X-signature`. Its reply has no room for a successor, so the session token stays.
    ///
    /// - Throws: `IDAAS.SDK.COMMON.1004` for a signature that is none, late, early or repeated, COMMON.1014 without a key, COMMON.1005
    ///   with {0} = session_token.
    package func refresh(signature: String, for caller: Caller) async throws -> Authentication {
        let now = clock.now
        let request = try signatures.open(signature, for: caller, at: now)
        let rotation = rotation(of: request.sessionToken, caller, givesSuccessor: false)
        let step = try await store.settle { store -> Result<Rotation.Step, ServiceError> in
            guard try store.insert(request.nonce) else { return .failure(ServiceError(.undecryptableSignature)) }
            return try rotation.step(at: now, in: store)
        }
        return try await authentication(request.sessionToken, step.user, step.session)
    }

    private func rotation(of sessionToken: String, _ caller: Caller, givesSuccessor: Bool) -> Rotation {
        Rotation(
            digest: SessionFamily.digest(of: sessionToken), caller: caller, lifetimes: lifetimes, serverKey: serverKey,
            givesSuccessor: givesSuccessor)
    }

    // Logging out

    /// Ends the session; `everywhere`, all sessions of its user with this client. A token that is dead already is no error.
    package func logOut(sessionToken: String, everywhere: Bool, for caller: Caller) async throws {
        let (now, digest) = (clock.now, SessionFamily.digest(of: sessionToken))
        try await store.write { try Self.end(digest, everywhere: everywhere, caller, at: now, in: $0) }
    }

    /// - Throws: `IDAAS.SDK.COMMON.1004`, COMMON.1014.
    package func logOut(signature: String, everywhere: Bool, for caller: Caller) async throws {
        let now = clock.now
        let request = try signatures.open(signature, for: caller, at: now)
        let digest = SessionFamily.digest(of: request.sessionToken)
        try await store.settle { store -> Result<Void, ServiceError> in
            guard try store.insert(request.nonce) else { return .failure(ServiceError(.undecryptableSignature)) }
            try Self.end(digest, everywhere: everywhere, caller, at: now, in: store)
            return .success(())
        }
    }

    /// Whoever has a token, if only an old one, may end its session; the other sessions only who has a living one where it belongs.
    private static func end(
        _ digest: [UInt8], everywhere: Bool, _ caller: Caller, at now: Timestamp, in store: any StoreWriting
    ) throws {
        guard let token = try store.sessionToken(digest), var session = try store.session(token.session) else { return }
        if everywhere, session.ended == nil, session.belongs(to: caller) {
            for var other in try store.sessions(of: session.user) where other.client == session.client {
                try other.end(at: now, in: store)
            }
        } else {
            try session.end(at: now, in: store)
        }
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
    package func end(_ id: String, by bearer: Bearer) async throws {
        let now = clock.now
        try await store.settle { store -> Result<Void, ServiceError> in
            guard var session = try store.session(id), session.user == bearer.userID, session.client == bearer.clientID else {
                return .failure(ServiceError(.invalidParameter, "id"))
            }
            try session.end(at: now, in: store)
            return .success(())
        }
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
