internal import JWTCore
internal import Locks

/// A sleep that others can shorten. It is interrupted only for an earlier deadline, because the system keeps an abandoned timer until it
/// expires.
package final class ShortenedSleep: Sendable {
    private struct State {
        var nap: Task<Void, Never>?
        var deadline: Duration = .zero
        var isAwake = false
    }

    private let state = Locked(State())

    package init() {}

    /// Sleeps until `deadline`. Returns earlier after a call of ``wake(by:)``, also one since the last sleep.
    package func sleep(until deadline: Duration, _ clock: any ElapsedClock) async {
        let nap = state.withLock { state -> Task<Void, Never>? in
            guard !state.isAwake else { return nil }
            let nap = Task { await clock.sleep(until: deadline) }
            state.nap = nap
            state.deadline = deadline
            return nap
        }
        await withTaskCancellationHandler {
            await nap?.value
        } onCancel: {
            nap?.cancel()
        }
        state.withLock {
            $0.nap = nil
            $0.isAwake = false
        }
    }

    /// Makes sure that the sleeper wakes by `deadline`.
    package func wake(by deadline: Duration) {
        state.withLock { state in
            guard let nap = state.nap else { return state.isAwake = true }
            guard deadline < state.deadline else { return }
            state.isAwake = true
            nap.cancel()
        }
    }
}
