package import JWTCore

/// One fetch ordered by ``RefreshState``. Orders are numbered; at most one is in progress.
package struct FetchOrder: Equatable, Sendable {
    package let sequence: UInt64
    package let cause: Cause
    /// The time of the order. A set from this fetch counts as confirmed at this time.
    package let startedAt: Duration
    /// The generation of the current set at the time of the order. A 304 confirms only that generation, not a later one.
    package let generation: UInt64
    /// The key that the token of a probe named; nil for other fetches, and where no key at all was found.
    package let wanted: KeyIDHash?

    /// Whether intermediate caches must revalidate: a token or the program has seen a sign of change.
    package var isForced: Bool { cause == .probe || cause == .request }

    package enum Cause: String, Sendable {
        /// There have been no keys yet.
        case start
        /// The scheduled time has come.
        case schedule
        /// A token named a key that the set does not have, or keys were needed and there are none.
        case probe
        /// The program requested it.
        case request
    }
}
