internal import JWTCore
import Locks

/// A resource that one test at a time may use, across all targets.
public final class Turn: Sendable {
    /// The one configuration of the documented names.
    public static let legacy = Turn()

    /// Starting other programs, and expecting a port without a listener: a child inherits every open socket, and keeps listening while it
    /// lives.
    public static let children = Turn()

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    public func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    public func leave() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
