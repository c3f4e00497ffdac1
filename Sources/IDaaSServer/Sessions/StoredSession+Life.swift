extension StoredSession {
    /// The first instant at which the unused session is expired: the earlier of both limits.
    func expires(_ lifetimes: Lifetimes) -> Timestamp {
        min(used + lifetimes.sessionIdle, authenticated + lifetimes.sessionAbsolute)
    }

    func isLive(at now: Timestamp, _ lifetimes: Lifetimes) -> Bool { ended == nil && now < expires(lifetimes) }

    /// Whether `caller` has the client and the device of the session.
    func belongs(to caller: Caller) -> Bool { client == caller.client.id && device == caller.device }

    /// Ends the session, and tells the streams of shared signals in the same transaction.
    mutating func end(at now: Timestamp, in store: any StoreWriting, by initiator: Signal.Initiator) throws {
        guard ended == nil else { return }
        ended = now
        try store.save(self)
        try store.add(Signal(.sessionRevoked(user: user, session: id, by: initiator), at: now))
    }
}

extension SessionToken {
    /// Whether the token is accepted: it has no successor yet, or the reply with its successor may have been lost.
    func isHonoured(at now: Timestamp, _ lifetimes: Lifetimes) -> Bool { rotated.map { now < $0 + lifetimes.retry } ?? true }
}
