/// One fetch that ``RefreshState`` has ordered. Orders are numbered; at most one is under way.
struct FetchOrder: Equatable, Sendable {
    let sequence: UInt64
    let cause: Cause
    /// When it was ordered: what it brings is as old as this.
    let startedAt: Duration

    /// Past every cache on the way, because somebody has seen a sign of change.
    var isForced: Bool { cause == .probe || cause == .request }

    enum Cause: String, Sendable {
        /// There have been no keys yet.
        case start
        /// The time has come.
        case schedule
        /// A token named a key that the set does not have, or keys were wanted and there are none.
        case probe
        /// The program asked.
        case request
    }
}
