internal import Synchronization

/// The time of the last use of a list in nanoseconds, to the second: readers write it only when the second changes.
final class ListUse: Sendable {
    private let nanoseconds: Atomic<Int64>

    init(_ now: Int64) { nanoseconds = Atomic(now) }

    var last: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

    @inline(__always)
    func note(_ now: Int64) {
        if now &- nanoseconds.load(ordering: .relaxed) > 1_000_000_000 { nanoseconds.store(now, ordering: .relaxed) }
    }
}
