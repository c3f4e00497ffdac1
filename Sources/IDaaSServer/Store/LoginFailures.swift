#if IDaaS
/// The wrong codes of a number in a row, across its codes and clients, and the locks that came of them.
public struct LoginFailures: Hashable, Sendable {
    public var mobile: String
    public var count: Int
    /// Locks in a row: each lasts twice as long as the one before.
    public var locks: Int
    /// The first instant at which the number is not locked any more.
    public var lockedUntil: Timestamp?
    public var updated: Timestamp

    public init(mobile: String, count: Int = 0, locks: Int = 0, lockedUntil: Timestamp? = nil, updated: Timestamp) {
        self.mobile = mobile
        self.count = count
        self.locks = locks
        self.lockedUntil = lockedUntil
        self.updated = updated
    }
}
#endif
