#if Gateway
internal import JWTCore
internal import ReplayMemory
internal import Synchronization

/// What a memory of uses has answered. Counting takes no lock.
final class ReplayCounts: Sendable {
    private let first = Atomic<UInt64>(0)
    private let replayed = Atomic<UInt64>(0)
    private let full = Atomic<UInt64>(0)
    private let unavailable = Atomic<UInt64>(0)
    private let ended = Atomic<UInt64>(0)
    private let isFailing = Atomic(false)

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

    /// - Returns: whether it was the other way before.
    func changes(isFailing now: Bool) -> Bool {
        // Nearly always it is so already.
        isFailing.load(ordering: .relaxed) != now && isFailing.exchange(now, ordering: .acquiringAndReleasing) != now
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
