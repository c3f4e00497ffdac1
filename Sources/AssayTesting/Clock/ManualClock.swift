public import JWKSCache
public import JWTCore
internal import Locks

/// A clock that stands still until a test moves it. Sleepers wake when it has passed their deadline.
///
/// It is the wall clock of verifiers and the elapsed clock of key sets, so one ``advance(by:)`` lets a token expire and keys grow old.
///
/// ```swift
/// let clock = ManualClock(date: 1_700_000_000)
/// let verifier = TokenVerifier(keys: keys, policy: policy, clock: clock)
/// ```
public final class ManualClock: ElapsedClock, UnixClock {
    private struct State {
        var elapsed: Duration = .zero
        var dateAtStart: Int64
        var sleepers: [Int: (deadline: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
        var next = 0
    }

    private let state: Locked<State>

    /// - Parameter date: the wall clock at the start, in seconds since 1970.
    public init(date: Int64 = 1_700_000_100) { state = Locked(State(dateAtStart: date)) }

    public var elapsed: Duration { state.withLock { $0.elapsed } }
    public var date: NumericDate { state.withLock { NumericDate(seconds: $0.dateAtStart + $0.elapsed.components.seconds) } }
    public var now: NumericDate { date }

    /// Sets the wall clock, as an administrator or NTP does. The elapsed time does not change.
    public func setDate(_ seconds: Int64) { state.withLock { $0.dateAtStart = seconds - $0.elapsed.components.seconds } }

    /// The number of sleepers.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// When the first sleeper wakes.
    public var nextDeadline: Duration? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// Moves the clock, and wakes every sleeper that is due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.elapsed }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    public func sleep(until deadline: Duration) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.elapsed < deadline, !Task.isCancelled else { return true }
                    state.sleepers[number] = (deadline, continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
    }
}
