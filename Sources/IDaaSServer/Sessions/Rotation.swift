internal import IDaaSWire

/// The outcome of a presented session token, decided and recorded in one transaction.
struct Rotation: Sendable {
    let digest: [UInt8]
    let caller: Caller
    let lifetimes: Lifetimes
    let serverKey: ServerKey
    /// Whether the reply can carry a successor.
    let givesSuccessor: Bool
    let places: StatusPlaces

    struct Step: Sendable {
        let user: User
        let session: StoredSession
        /// The token to continue with; nil means the presented one.
        let successor: String?
    }

    enum Outcome: Sendable {
        case going(Step)
        /// With the session of the token, and the reason if the session has just ended.
        case refused(ServiceError, StoredSession? = nil, SessionRevocation? = nil)
    }

    /// Gives the token its successor. Repeated requests within 30 s get the same successor.
    ///
    /// A token from another device, or a token whose successor was issued long ago, means that it or its successor is stolen: the whole
    /// family ends (RFC 9700 section 4.14.2).
    func step(at now: Timestamp, in store: any StoreWriting) throws -> Outcome {
        let refusal = ServiceError(.expired, "session_token")
        guard let token = try store.sessionToken(digest), var session = try store.session(token.session) else { return .refused(refusal) }
        guard session.isLive(at: now, lifetimes) else { return .refused(refusal, session) }
        let user = try store.user(session.user)
        let revocation = revocation(of: session, token, user, at: now)
        guard revocation == nil, let user else {
            try session.end(at: now, in: store, by: .policy)
            return .refused(refusal, session, revocation)
        }
        let successor = try successor(of: token, &session, at: now, in: store)
        session.used = now
        try store.save(session)
        try places.complete(&session, at: now, in: store)
        return .going(Step(user: user, session: session, successor: successor))
    }

    private func revocation(of session: StoredSession, _ token: SessionToken, _ user: User?, at now: Timestamp) -> SessionRevocation? {
        guard session.belongs(to: caller) else { return .foreignDevice }
        guard token.isHonoured(at: now, lifetimes) else { return .reuse }
        return user?.isLocked ?? true ? .lockedUser : nil
    }

    private func successor(
        of token: SessionToken, _ session: inout StoredSession, at now: Timestamp, in store: any StoreWriting
    ) throws -> String? {
        guard givesSuccessor, token.rotated != nil || caller.client.settings.rotatesSessionTokens else { return nil }
        let family = SessionFamily(key: try serverKey.open(session.sealedFamilyKey, as: .family(session: session.id)))
        let successor = family.token(token.generation + 1)
        if token.rotated == nil { try rotate(token, to: successor, &session, at: now, in: store) }
        return successor
    }

    private func rotate(
        _ token: SessionToken, to successor: String, _ session: inout StoredSession, at now: Timestamp, in store: any StoreWriting
    ) throws {
        var token = token
        token.rotated = now
        try store.save(token)
        session.generation = token.generation + 1
        try store.save(
            SessionToken(digest: SessionFamily.digest(of: successor), session: session.id, generation: session.generation))
        try store.removeSessionTokens(of: session.id, before: session.generation - Self.remembered)
    }

    /// The number of generations whose reuse is recognised; older tokens are unknown. This limits the size of a session.
    private static let remembered = 1_000
}

/// Why the server ended a session.
package enum SessionRevocation: String, Hashable, Sendable {
    /// A token was presented long after its successor was issued.
    case reuse
    /// A token was presented by another client or device.
    case foreignDevice = "foreign_device"
    case lockedUser = "locked_user"
}
