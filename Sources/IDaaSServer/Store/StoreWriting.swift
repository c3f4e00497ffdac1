#if IDaaS
/// What can be changed. `save` adds a record, or replaces the one with its key.
public protocol StoreWriting: StoreReading {
    func save(_ client: Client) throws
    /// Removes a client with its sessions; false if there is none.
    func removeClient(_ id: String) throws -> Bool

    func save(_ user: User) throws
    /// Removes a user with the sessions, and everything that is kept about the number.
    func remove(_ user: User) throws
    /// Removes everything that is kept about a number but its user; false if there is nothing.
    func removeTraces(of mobile: String) throws -> Bool

    func save(_ session: Session) throws
    func save(_ token: SessionToken) throws
    /// Forgets the tokens of a session that are older than `generation`.
    func removeSessionTokens(of session: String, before generation: Int) throws

    func save(_ thing: SingleUse) throws
    /// Adds `thing` unless its key is taken. False, and nothing changed, where it is: what happens once happened already.
    func insert(_ thing: SingleUse) throws -> Bool
    /// Uses a thing up. Of any number of calls for one thing exactly one answers true; none does after its expiry.
    func consume(_ purpose: SingleUse.Purpose, _ key: [UInt8], at instant: Timestamp, outcome: String?) throws -> Bool

    func save(_ failures: LoginFailures) throws
    func removeFailures(of mobile: String) throws
    func record(_ scope: Limit.Scope, _ key: String, at instant: Timestamp) throws
    /// Takes back one event of that instant.
    func removeEvent(_ scope: Limit.Scope, _ key: String, at instant: Timestamp) throws

    /// Raises the revision of the signing keys.
    func save(_ key: StoredSigningKey) throws
    func save(_ policy: SigningPolicy) throws

    /// Forgets what can never matter again.
    func sweep(_ horizon: SweepHorizon) throws
}

/// Up to when the past is forgotten.
public struct SweepHorizon: Hashable, Sendable {
    /// Events before this are outside every window.
    public var events: Timestamp
    /// Single-use things that expired before this.
    public var singleUse: Timestamp
    /// Sessions that ended before this.
    public var endedSessions: Timestamp
    /// Sessions that nobody has used since.
    public var idleSessions: Timestamp
    /// Numbers without a failure since, and not locked since.
    public var failures: Timestamp

    public init(events: Timestamp, singleUse: Timestamp, endedSessions: Timestamp, idleSessions: Timestamp, failures: Timestamp) {
        self.events = events
        self.singleUse = singleUse
        self.endedSessions = endedSessions
        self.idleSessions = idleSessions
        self.failures = failures
    }
}
#endif
