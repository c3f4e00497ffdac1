/// A sleep that others can end.
final class Wakeup: Sendable {
    private struct State {
        var nap: Task<Void, Never>?
        var isAwake = false
    }

    private let state = Locked(State())

    /// Sleeps until `deadline`, or until somebody wakes it, or had since the last sleep.
    func sleep(until deadline: Duration, _ clock: any ElapsedClock) async {
        let nap = state.withLock { state -> Task<Void, Never>? in
            guard !state.isAwake else {
                state.isAwake = false
                return nil
            }
            let nap = Task { await clock.sleep(until: deadline) }
            state.nap = nap
            return nap
        }
        await withTaskCancellationHandler { await nap?.value } onCancel: { nap?.cancel() }
        state.withLock {
            $0.nap = nil
            $0.isAwake = false
        }
    }

    func wake() {
        state.withLock {
            $0.isAwake = true
            $0.nap?.cancel()
        }
    }
}
