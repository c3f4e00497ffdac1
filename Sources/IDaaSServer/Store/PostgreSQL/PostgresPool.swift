internal import JWTCore
internal import Locks
internal import PostgreSQLClient

/// A bounded number of connections, each with a thread of its own: a connection is a process of the server, beside which a thread costs
/// little, and the bodies of transactions wait for one statement after the other. No thread of Swift's pool ever waits.
///
/// Only a worker that has a connection takes a job. So a server that takes fewer connections than there are workers, or none for a while,
/// delays jobs, and ends none before its deadline.
final class PostgresPool: Sendable {
    private struct Job {
        let deadline: PostgresDeadline
        /// For the wait for a connection. A job that may take long does not wait long for a server that is not there.
        let connection: PostgresDeadline
        let run: @Sendable (PostgresWorker) -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        /// Of the oldest job in `jobs`, which is only cut when half of it is empty.
        var next = 0
        var isClosed = false

        var waiting: Int { jobs.count - next }
        var oldest: Job? { waiting > 0 ? jobs[next] : nil }

        mutating func take() -> Job? {
            guard let job = oldest else { return nil }
            next += 1
            if next > 64, next * 2 > jobs.count {
                jobs.removeFirst(next)
                next = 0
            }
            return job
        }

        mutating func takeExpired() -> Job? { oldest.map(\.connection.isOver) ?? false ? take() : nil }
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

    /// Ends the threads after the jobs that wait.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
    }

    /// Runs `job` on the thread of a connection.
    ///
    /// - Parameter time: in place of the usual one. The usual one still bounds the wait for a connection.
    func run<Value: Sendable>(
        within time: Duration? = nil, _ job: @escaping @Sendable (PostgresWorker, PostgresDeadline) throws -> Value
    ) async throws -> Value {
        let deadline = PostgresDeadline(in: time ?? self.time)
        return try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                deadline: deadline, connection: PostgresDeadline(in: min(time ?? self.time, self.time)),
                run: { worker in continuation.resume(with: Result { try job(worker, deadline) }) },
                fail: { continuation.resume(throwing: $0) })
            if let refusal = add(job) { continuation.resume(throwing: refusal) }
        }
    }

    /// - Returns: why the job is not taken.
    private func add(_ job: Job) -> StoreFailure? {
        let refusal: StoreFailure? = state.withLock { state in
            if state.isClosed { return StoreFailure(.unavailable, "the store is closed") }
            if state.waiting >= mostWaiting { return StoreFailure(.busy, "too many transactions wait") }
            state.jobs.append(job)
            return nil
        }
        if refusal == nil { wakeup.signal() }
        return refusal
    }

    private func serve(_ worker: PostgresWorker) {
        while true {
            wakeup.wait()
            while let oldest = state.withLock({ $0.oldest }), work(worker, oldest.deadline) {}
            if state.withLock({ $0.isClosed && $0.waiting == 0 }) {
                // For the next thread.
                return wakeup.signal()
            }
        }
    }

    /// Does a job, if the worker has a connection or gets one before the oldest job's deadline.
    ///
    /// - Returns: false for a worker without a connection, after a pause.
    private func work(_ worker: PostgresWorker, _ deadline: PostgresDeadline) -> Bool {
        do {
            try worker.connect(deadline)
        } catch let error as PostgresError where error.isLoss {
            while let job = state.withLock({ $0.takeExpired() }) { job.fail(error.failure) }
            // What woke this worker is for one that has a connection, or for its own next attempt.
            wakeup.signal()
            PostgresDeadline(in: time).sleep(.milliseconds(100))
            return false
        } catch {
            state.withLock { $0.take() }?.fail((error as? PostgresError)?.failure ?? error)
            return true
        }
        guard let job = state.withLock({ $0.take() }) else { return true }
        if job.deadline.isOver { job.fail(StoreFailure(.busy, "no connection became free")) } else { job.run(worker) }
        return true
    }
}
