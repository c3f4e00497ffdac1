#if Gateway
package import JWTCore
internal import ReplayMemory
internal import Synchronization

/// What a memory of uses has answered. Counting takes no lock.
package final class ReplayCounts: Sendable {
    private let first = Atomic<UInt64>(0)
    private let replayed = Atomic<UInt64>(0)
    private let full = Atomic<UInt64>(0)
    private let unavailable = Atomic<UInt64>(0)
    private let ended = Atomic<UInt64>(0)
    /// What the log has said last, and when: seconds of NumericDate.
    private let isToldFailing = Atomic(false)
    private let toldAt = Atomic(Int64.min / 2)

    /// Seconds between two lines of the log. A memory that is nearly full fails and answers in turn.
    private static let quiet: Int64 = 60

    package init() {}

    func add(_ use: ReplayUse) {
        switch use {
        case .first: first.wrappingAdd(1, ordering: .relaxed)
        case .replayed: replayed.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func add(_ error: ReplayMemoryError) {
        switch error.code {
        case .full: full.wrappingAdd(1, ordering: .relaxed)
        case .unavailable: unavailable.wrappingAdd(1, ordering: .relaxed)
        case .ended: ended.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// - Parameter date: of the use.
    /// - Returns: whether the log is to say that it is so now: it has said the other, a minute ago or longer.
    package func isNews(isFailing: Bool, at date: NumericDate) -> Bool {
        // Nearly always it is known already.
        guard isToldFailing.load(ordering: .relaxed) != isFailing else { return false }
        let last = toldAt.load(ordering: .relaxed)
        // A clock that is set back delays no line for longer than that.
        guard date.seconds.subtractingReportingOverflow(last).partialValue.magnitude >= UInt64(Self.quiet),
            toldAt.compareExchange(expected: last, desired: date.seconds, ordering: .relaxed).exchanged
        else { return false }
        return isToldFailing.exchange(isFailing, ordering: .acquiringAndReleasing) != isFailing
    }

    /// By the word for metrics.
    var latest: [(result: String, count: UInt64)] {
        [
            (ReplayUse.first.rawValue, first.load(ordering: .relaxed)), (ReplayUse.replayed.rawValue, replayed.load(ordering: .relaxed)),
            (ReplayMemoryError.Code.full.rawValue, full.load(ordering: .relaxed)),
            (ReplayMemoryError.Code.unavailable.rawValue, unavailable.load(ordering: .relaxed)),
            (ReplayMemoryError.Code.ended.rawValue, ended.load(ordering: .relaxed)),
        ]
    }
}
#endif
