internal import JWTCore
internal import Locks

/// A lock for tasks. They wait in order and block no thread.
final class AsyncLock: Sendable {
    private struct State {
        var isHeld = false
        var next = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Locked(State())

    /// - Throws: `cancelled`. The caller does not hold the lock then.
    func acquire() async throws(FlowError) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isHeld = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    guard state.isHeld else {
                        state.isHeld = true
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            give(up: number)
        }
        guard isHeld else { throw FlowError(.cancelled) }
    }

    func release() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isHeld = false
                return CheckedContinuation<Bool, Never>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func give(up number: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
        }
        waiter?.resume(returning: false)
    }
}
