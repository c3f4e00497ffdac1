internal import JWKSCache
internal import Locks
internal import Synchronization

/// A thread that waits for an answer, and how others end the wait.
package final class AnswerWait: Sendable {
    private let wakeup = Wakeup()
    private let isCancelled = Atomic(false)

    package init() {}

    /// Ends the wait under way, or the next one.
    func wake() { wakeup.signal() }

    /// Ends this wait and every later one, and cancels a request.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        wakeup.signal()
    }

    /// Waits until `value` returns one. The thread that sets it calls ``wake()``.
    ///
    /// - Throws: `cancelled`, or `timed_out` at the deadline.
    func value<Value>(by deadline: ContinuousClock.Instant, _ value: () -> Value?) throws(RequestFailure) -> Value {
        while true {
            if let value = value() { return value }
            guard !isCancelled.load(ordering: .acquiring) else { throw RequestFailure(.cancelled) }
            let rest = deadline - .now
            guard rest > .zero else { throw RequestFailure(.timedOut, "no answer in time") }
            // In short turns: the semaphore's clock is the wall clock, which may be set back.
            let turn = min(rest, .seconds(1)).components
            wakeup.wait(nanoseconds: Int(turn.seconds) * 1_000_000_000 + Int(turn.attoseconds / 1_000_000_000) + 1)
        }
    }
}
