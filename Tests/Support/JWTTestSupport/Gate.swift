internal import JWTCore
import Locks

/// A gate for tasks. A test opens it, or the arrival of a given number of tasks.
public final class Gate: Sendable {
    private struct State {
        var awaited: Int?
        var isOpen = false
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state: Locked<State>

    /// - Parameter count: opens the gate when this many tasks have arrived; nil leaves that to ``open()``.
    public init(for count: Int? = nil) { state = Locked(State(awaited: count)) }

    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    public func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.isOpen = true
            return state.waiting.values.map { $0 }
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the gate is open or the task is cancelled.
    public func pass() async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let passes = state.withLock { state in
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if passes { return continuation.resume() }
                if state.withLock({ $0.awaited == $0.waiting.count }) { open() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
