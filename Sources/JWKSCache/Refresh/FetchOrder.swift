/// One fetch that ``RefreshState`` has ordered. Orders are numbered; at most one is under way.
package struct FetchOrder: Equatable, Sendable {
    package let sequence: UInt64
    package let cause: Cause
    /// When it was ordered: what it brings is as old as this.
    package let startedAt: Duration
    /// What was believed then. That it has not changed is said of this and nothing later.
    package let generation: UInt64

    /// Past every cache on the way, because somebody has seen a sign of change.
    package var isForced: Bool { cause == .probe || cause == .request }

    package enum Cause: String, Sendable {
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
