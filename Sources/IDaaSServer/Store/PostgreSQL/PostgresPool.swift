internal import JWTCore
internal import Locks

/// A bounded number of connections, each with a thread of its own: a connection is a process of the server, beside which a thread costs
/// little, and the bodies of transactions wait for one statement after the other. No thread of Swift's pool ever waits.
final class PostgresPool: Sendable {
    private typealias Job = @Sendable (PostgresWorker) -> Void

    private struct State {
        var jobs: [Job] = []
        /// Of the oldest job in `jobs`, which is only cut when half of it is empty.
        var next = 0
        var isClosed = false
        /// The workers that have a connection.
        var connected = 0
        /// Whether a worker without a connection has a job.
        var hasPioneer = false

        var waiting: Int { jobs.count - next }
    }

    private let state = Locked(State())
    private let wakeup = Wakeup()
    /// The most transactions that wait for a connection.
    private let mostWaiting: Int
    /// The time of a transaction, with its wait for a connection.
    let time: Duration

    /// - Throws: ``StoreFailure``: `unavailable` if the system gives no thread.
    init(
        connections: Int, mostWaiting: Int = 4_096, time: Duration, _ worker: @escaping @Sendable () -> PostgresWorker
    ) throws {
        self.mostWaiting = mostWaiting
        self.time = time
        for _ in 0..<connections {
            guard BackgroundThread.start({ [self] in serve(worker()) }) else {
                close()
                throw StoreFailure(.unavailable, "no thread")
            }
        }
    }

    /// Ends the threads after the jobs that they have.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }

    /// Runs `job` on the thread of a connection.
    ///
    /// - Parameter time: in place of the usual one.
    func run<Value: Sendable>(
        within time: Duration? = nil, _ job: @escaping @Sendable (PostgresWorker, PostgresDeadline) throws -> Value
    ) async throws -> Value {
        let deadline = PostgresDeadline(in: time ?? self.time)
        return try await withCheckedThrowingContinuation { continuation in
            let isTaken = add { worker in
                guard !deadline.isOver else { return continuation.resume(throwing: StoreFailure(.busy, "no connection became free")) }
                continuation.resume(with: Result { try job(worker, deadline) })
            }
            if !isTaken { continuation.resume(throwing: refusal) }
        }
    }

    private var refusal: StoreFailure {
        state.withLock { $0.isClosed }
            ? StoreFailure(.unavailable, "the store is closed") : StoreFailure(.busy, "too many transactions wait")
    }

    private func add(_ job: @escaping Job) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting < mostWaiting else { return false }
            state.jobs.append(job)
            return true
        }
        if isTaken { wakeup.signal() }
        return isTaken
    }

    private func serve(_ worker: PostgresWorker) {
        while true {
            wakeup.wait()
            while let job = next(for: worker) {
                job(worker)
                finish(worker)
            }
            if state.withLock({ $0.isClosed }) {
                // For the next thread.
                return wakeup.signal()
            }
        }
    }

    /// Only one worker without a connection takes a job, and only if no other one has a connection. Where the server takes fewer connections
    /// than there are workers, the others would hold jobs that they cannot do.
    private func next(for worker: PostgresWorker) -> Job? {
        while !worker.isConnected, !becomesPioneer(worker) {
            guard state.withLock({ $0.waiting > 0 }) else { return nil }
            let deadline = PostgresDeadline(in: time)
            if !worker.connects(deadline) { deadline.sleep(.milliseconds(100)) }
        }
        count(worker)
        let job = take()
        if job == nil { finish(worker) }
        return job
    }

    private func becomesPioneer(_ worker: PostgresWorker) -> Bool {
        state.withLock { state in
            guard state.connected == 0, !state.hasPioneer else { return false }
            state.hasPioneer = true
            worker.isPioneer = true
            return true
        }
    }

    private func finish(_ worker: PostgresWorker) {
        count(worker)
        guard worker.isPioneer else { return }
        worker.isPioneer = false
        state.withLock { $0.hasPioneer = false }
    }

    private func count(_ worker: PostgresWorker) {
        guard worker.isConnected != worker.isCounted else { return }
        worker.isCounted.toggle()
        state.withLock { $0.connected += worker.isCounted ? 1 : -1 }
    }

    private func take() -> Job? {
        state.withLock { state in
            guard state.waiting > 0 else { return nil }
            let job = state.jobs[state.next]
            state.next += 1
            if state.next > 64, state.next * 2 > state.jobs.count {
                state.jobs.removeFirst(state.next)
                state.next = 0
            }
            return job
        }
    }
}
