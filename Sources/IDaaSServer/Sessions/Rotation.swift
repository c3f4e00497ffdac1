#if IDaaS
/// What a presented session token leads to, decided and kept in one transaction.
struct Rotation: Sendable {
    let digest: [UInt8]
    let caller: Caller
    let lifetimes: Lifetimes
    let serverKey: ServerKey
    /// Whether the reply can carry a successor.
    let givesSuccessor: Bool

    struct Step: Sendable {
        let user: User
        let session: Session
        /// The token to go on with; nil for the one that was presented.
        let successor: String?
    }

    enum Outcome: Sendable {
        case going(Step)
        /// With the session that the token belongs to, and why that has just ended.
        case refused(ServiceError, Session? = nil, SessionRevocation? = nil)
    }

    /// Gives the token its successor, the same one however often it is asked for within 30 s.
    ///
    /// A token on another device, or one whose successor has long been given out, is in the wrong hands, or its successor is: the whole
    /// family ends (RFC 9700 section 4.14.2).
    func step(at now: Timestamp, in store: any StoreWriting) throws -> Outcome {
        let refusal = ServiceError(.expired, "session_token")
        guard let token = try store.sessionToken(digest), var session = try store.session(token.session) else { return .refused(refusal) }
        guard session.isLive(at: now, lifetimes) else { return .refused(refusal, session) }
        let user = try store.user(session.user)
        let revocation = revocation(of: session, token, user, at: now)
        guard revocation == nil, let user else {
            try session.end(at: now, in: store)
            return .refused(refusal, session, revocation)
        }
        let successor = try successor(of: token, &session, at: now, in: store)
        session.used = now
        try store.save(session)
        return .going(Step(user: user, session: session, successor: successor))
    }

    private func revocation(of session: Session, _ token: SessionToken, _ user: User?, at now: Timestamp) -> SessionRevocation? {
        guard session.belongs(to: caller) else { return .foreignDevice }
        guard token.isHonoured(at: now, lifetimes) else { return .reuse }
        return user?.isLocked ?? true ? .lockedUser : nil
    }

    private func successor(
        of token: SessionToken, _ session: inout Session, at now: Timestamp, in store: any StoreWriting
    ) throws -> String? {
        guard givesSuccessor, token.rotated != nil || caller.client.settings.rotatesSessionTokens else { return nil }
        let family = SessionFamily(key: try serverKey.open(session.sealedFamilyKey, as: .family(session: session.id)))
        let successor = family.token(token.generation + 1)
        if token.rotated == nil { try rotate(token, to: successor, &session, at: now, in: store) }
        return successor
    }

    private func rotate(
        _ token: SessionToken, to successor: String, _ session: inout Session, at now: Timestamp, in store: any StoreWriting
    ) throws {
        var token = token
        token.rotated = now
        try store.save(token)
        session.generation = token.generation + 1
        try store.save(
            SessionToken(digest: SessionFamily.digest(of: successor), session: session.id, generation: session.generation))
        try store.removeSessionTokens(of: session.id, before: session.generation - Self.remembered)
    }

    /// Tokens whose reuse is still recognised as such; older ones are merely unknown. Bounds what a session occupies.
    private static let remembered = 1_000
}
#endif
