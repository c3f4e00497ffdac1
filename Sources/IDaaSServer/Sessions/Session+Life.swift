#if IDaaS
extension Session {
    /// The first instant at which the session is dead if it is not used before: the earlier of both limits.
    func expires(_ lifetimes: Lifetimes) -> Timestamp {
        min(used + lifetimes.sessionIdle, authenticated + lifetimes.sessionAbsolute)
    }

    func isLive(at now: Timestamp, _ lifetimes: Lifetimes) -> Bool { ended == nil && now < expires(lifetimes) }

    /// Whether `caller` is the client on the device that the session belongs to.
    func belongs(to caller: Caller) -> Bool { client == caller.client.id && device == caller.device }

    mutating func end(at now: Timestamp, in store: any StoreWriting) throws {
        guard ended == nil else { return }
        ended = now
        try store.save(self)
    }
}

extension SessionToken {
    /// Whether it may be presented: it has no successor yet, or its successor may have been lost on the way.
    func isHonoured(at now: Timestamp, _ lifetimes: Lifetimes) -> Bool { rotated.map { now < $0 + lifetimes.retry } ?? true }
}

/// A session as its user sees it.
package struct SessionSummary: Hashable, Sendable {
    package let id: String
    package let deviceName: String
    package let authenticated: Timestamp
    package let used: Timestamp
    package let expires: Timestamp
    /// Whether it is the one that asks.
    package let isCurrent: Bool
}
#endif
