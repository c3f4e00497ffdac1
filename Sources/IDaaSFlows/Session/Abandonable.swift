internal import JWTCore

/// Waits for a task that others wait for too.
enum Abandonable {
    /// The task's value; nil as soon as whoever waits is cancelled. The task goes on.
    static func value<Value: Sendable>(of task: Task<Value, Never>) async -> Value? {
        let wait = Wait<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait.begin(continuation)
                Task { wait.end(await task.value) }
            }
        } onCancel: {
            wait.end(nil)
        }
    }

    private final class Wait<Value: Sendable>: Sendable {
        private enum State {
            case idle
            case waiting(CheckedContinuation<Value?, Never>)
            case over
        }

        private let state = Locked(State.idle)

        func begin(_ continuation: CheckedContinuation<Value?, Never>) {
            let isOver = state.withLock { state in
                if case .over = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isOver { continuation.resume(returning: nil) }
        }

        func end(_ value: Value?) {
            let waiting = state.withLock { state in
                defer { state = .over }
                return if case .waiting(let continuation) = state { continuation } else { CheckedContinuation<Value?, Never>?.none }
            }
            waiting?.resume(returning: value)
        }
    }
}
