internal import JWTCore

/// What one test at a time may have, whichever target it is in.
public final class Turn: Sendable {
    /// The one configuration that the documented names share.
    public static let legacy = Turn()

    /// Starting other programs, and counting on a port on which nobody listens: a child has every socket that was open when it started,
    /// and listens on for as long as it lives.
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
