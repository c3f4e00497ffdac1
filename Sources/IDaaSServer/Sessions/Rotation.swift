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

    /// Gives the token its successor, the same one however often it is asked for within 30 s.
    ///
    /// A token on another device, or one whose successor has long been given out, is in the wrong hands, or its successor is: the whole
    /// family ends (RFC 9700 section 4.14.2).
    func step(at now: Timestamp, in store: any StoreWriting) throws -> Result<Step, ServiceError> {
        let refusal = ServiceError(.expired, "session_token")
        guard let token = try store.sessionToken(digest), var session = try store.session(token.session), session.isLive(at: now, lifetimes)
        else { return .failure(refusal) }
        let isRetry = token.rotated.map { now < $0 + lifetimes.retry }
        guard session.belongs(to: caller), isRetry ?? true, let user = try store.user(session.user), !user.isLocked else {
            try session.end(at: now, in: store)
            return .failure(refusal)
        }
        var successor: String?
        if givesSuccessor, isRetry == true || caller.client.settings.rotatesSessionTokens {
            let family = SessionFamily(key: try serverKey.open(session.sealedFamilyKey, as: .family(session: session.id)))
            successor = family.token(token.generation + 1)
            if isRetry == nil { try rotate(token, to: family.token(token.generation + 1), &session, at: now, in: store) }
        }
        session.used = now
        try store.save(session)
        return .success(Step(user: user, session: session, successor: successor))
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
