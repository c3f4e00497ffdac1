#if IDaaS
import JWTTestSupport

/// What tasks wait at until it is opened: by a test, or by as many as it was told to wait for.
final class Gate: Sendable {
    private struct State {
        var awaited: Int?
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Guarded<State>

    init() { state = Guarded(State()) }

    /// Opens itself when so many have come.
    init(for count: Int) { state = Guarded(State(awaited: count)) }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { return continuation.resume() }
            if state.withLock({ $0.awaited == $0.waiting.count }) { open() }
        }
    }
}
#endif
