internal import CAssay
internal import HTTPGuard
internal import JWKSCache
internal import JWTCore
internal import Locks

/// The threads that make the requests of one source: one for each request under way. A thread ends when no request waits.
final class RequestThreads: Sendable {
    private let client: GuardedClient
    private let state = Locked(State())

    /// A request under way. Its thread waits for the response in `wait`.
    private struct Request {
        let fetch: HostedFetch
        let wait = AnswerWait()
    }

    private struct State {
        var isCancelled = false
        var waiting: [HostedFetch] = []
        /// By the keys that they are for.
        var running: [ObjectIdentifier: Request] = [:]

        /// So many servers may be slow at once before they delay another one.
        static let mostRunning = 16

        /// Begins a request that may begin. One for the same keys as a request under way waits for its end.
        mutating func next() -> Request? {
            guard !isCancelled, running.count < Self.mostRunning,
                let place = waiting.firstIndex(where: { running[$0.keySet] == nil })
            else { return nil }
            let request = Request(fetch: waiting.remove(at: place))
            running[request.fetch.keySet] = request
            return request
        }

        mutating func end(_ request: Request) { running[request.fetch.keySet] = nil }
    }

    init(_ client: GuardedClient) {
        self.client = client
        ForkedLocks.add(state, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    func add(_ fetches: [HostedFetch]) {
        state.withLock { $0.waiting += fetches }
        startThreads()
    }

    /// In a forked child: begins the parent's requests again.
    func resume() {
        state.withLock { state in
            state.waiting = state.running.values.map(\.fetch) + state.waiting
            state.running = [:]
        }
        startThreads()
    }

    /// Gives up every request, also those that come later.
    func cancel() {
        let waits = state.withLock { state in
            state.isCancelled = true
            return state.running.values.map(\.wait)
        }
        for wait in waits { wait.cancel() }
    }

    private func startThreads() {
        while let request = state.withLock({ $0.next() }) {
            let isStarted = BackgroundThread.start { [self] in run(request) }
            if !isStarted { state.withLock { $0.end(request) } }
        }
    }

    private func run(_ first: Request) {
        var next: Request? = first
        while let request = next {
            request.fetch.answer(Result { () throws(RequestFailure) in try client.send(request.fetch.document, waitingOn: request.wait) })
            next = state.withLock { state in
                state.end(request)
                return state.next()
            }
        }
    }
}
