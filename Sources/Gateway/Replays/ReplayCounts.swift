package import JWTCore
package import ReplayMemory
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

    package func add(_ use: ReplayUse) {
        switch use {
        case .first: first.wrappingAdd(1, ordering: .relaxed)
        case .replayed: replayed.wrappingAdd(1, ordering: .relaxed)
        }
    }

    package func add(_ error: ReplayMemoryError) {
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
    private var latest: [(result: String, count: UInt64)] {
        [
            (ReplayUse.first.rawValue, first.load(ordering: .relaxed)), (ReplayUse.replayed.rawValue, replayed.load(ordering: .relaxed)),
            (ReplayMemoryError.Code.full.rawValue, full.load(ordering: .relaxed)),
            (ReplayMemoryError.Code.unavailable.rawValue, unavailable.load(ordering: .relaxed)),
            (ReplayMemoryError.Code.ended.rawValue, ended.load(ordering: .relaxed)),
        ]
    }

    /// Adds the answers, and how full a table is.
    ///
    /// - Parameters:
    ///   - samples: receives them.
    ///   - entries: the live entries of the table, and those that it promises room for; nil for a store.
    package func append(to samples: inout SampleText, entries: (live: Int, promised: Int)?) {
        samples.type("assay_gateway_replay_uses_total", "counter")
        for (result, count) in latest { samples.sample("assay_gateway_replay_uses_total", count, ["result": result]) }
        guard let entries else { return }
        samples.type("assay_gateway_replay_entries", "gauge")
        samples.sample("assay_gateway_replay_entries", entries.live)
        samples.type("assay_gateway_replay_entries_promised", "gauge")
        samples.sample("assay_gateway_replay_entries_promised", entries.promised)
    }
}
