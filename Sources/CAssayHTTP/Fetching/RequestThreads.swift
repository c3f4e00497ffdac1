internal import HTTPGuard
internal import JWKSCache
internal import JWTCore
internal import Locks

/// Threads that make requests: one for each request under way. A thread ends when no request waits.
final class RequestThreads<Pending: PendingRequest>: Sendable {
    private let client: GuardedClient
    private let state = Locked(State())

    /// A request under way. Its thread waits for the response in `wait`.
    private struct Request {
        let pending: Pending
        let wait = AnswerWait()
    }

    private struct State {
        var isCancelled = false
        var waiting: [Pending] = []
        var running: [Pending.Key: Request] = [:]

        /// So many servers may be slow at once before they delay another one.
        static var mostRunning: Int { 16 }

        /// Begins a request that may begin. One with the key of a request under way waits for its end.
        mutating func next() -> Request? {
            guard !isCancelled, running.count < Self.mostRunning, let place = waiting.firstIndex(where: { running[$0.key] == nil }) else {
                return nil
            }
            let request = Request(pending: waiting.remove(at: place))
            running[request.pending.key] = request
            return request
        }

        mutating func end(_ request: Request) { running[request.pending.key] = nil }
    }

    init(_ client: GuardedClient) {
        self.client = client
        ForkedLocks.add(state, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    func add(_ requests: [Pending]) {
        state.withLock { $0.waiting += requests }
        startThreads()
    }

    /// In a forked child: begins the parent's requests again.
    func resume() {
        state.withLock { state in
            state.waiting = state.running.values.map(\.pending) + state.waiting
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
            guard !isStarted else { continue }
            state.withLock { $0.end(request) }
            request.pending.end(.failure(RequestFailure(.cancelled, "no thread for the request")))
        }
    }

    private func answer(to request: Request) -> Result<ReceivedResponse, RequestFailure> {
        Result { () throws(RequestFailure) in
            try client.send(request.pending.document, bodyBytes: request.pending.bodyBytes, waitingOn: request.wait)
        }
    }

    private func run(_ first: Request) {
        var next: Request? = first
        while let request = next {
            request.pending.end(answer(to: request))
            next = state.withLock { state in
                state.end(request)
                return state.next()
            }
        }
    }
}
