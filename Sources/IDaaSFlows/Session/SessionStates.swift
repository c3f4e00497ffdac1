internal import JWTCore
internal import Locks

/// Publishes the session's state to its listeners: the current one and each change.
final class SessionStates: Sendable {
    private struct Listeners {
        var state: SessionState?
        var next = 0
        var continuations: [Int: AsyncStream<SessionState>.Continuation] = [:]
    }

    private let listeners = Locked(Listeners())

    /// Nil until the store was read.
    var state: SessionState? { listeners.withLock { $0.state } }

    func become(_ state: SessionState) {
        let told = listeners.withLock { listeners in
            guard listeners.state != state else { return [AsyncStream<SessionState>.Continuation]() }
            listeners.state = state
            return Array(listeners.continuations.values)
        }
        for continuation in told { continuation.yield(state) }
    }

    func stream() -> AsyncStream<SessionState> {
        AsyncStream { continuation in
            let (number, state) = listeners.withLock { listeners in
                listeners.next += 1
                listeners.continuations[listeners.next] = continuation
                return (listeners.next, listeners.state)
            }
            if let state { continuation.yield(state) }
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
        }
    }

    private func forget(_ number: Int) { listeners.withLock { _ = $0.continuations.removeValue(forKey: number) } }
}
