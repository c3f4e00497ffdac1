#if Gateway
internal import JWTCore
internal import Locks
internal import ReplayMemory

/// A bounded number of connections to a store, each with a thread of its own, which waits for one answer after the other. No thread of
/// Swift's pool ever waits, and every use has its answer at its deadline, even where a thread hangs in the look-up of a name.
final class StoreWorkers: Sendable {
    typealias Connecting = @Sendable (StoreDeadline) throws(StoreFailure) -> any StoreConnection

    private struct State {
        var waiting: [WaitingUse] = []
        /// All without an answer, in the order of their deadlines, since all have the same time.
        var open: [WaitingUse] = []
        var isClosed = false
    }

    private let state = Locked(State())
    private let work = Wakeup()
    private let watch = Wakeup()
    private let time: Duration
    private let mostWaiting: Int
    private let connecting: Connecting

    /// - Parameters:
    ///   - connections: the most that are open at a time.
    ///   - mostWaiting: uses that wait for a connection; more are refused at once.
    ///   - time: of each use, with its wait for a connection.
    /// - Throws: `unavailable` if the system gives no thread.
    init(connections: Int, mostWaiting: Int, time: Duration, _ connecting: @escaping Connecting) throws(ReplayMemoryError) {
        self.time = time
        self.mostWaiting = mostWaiting
        self.connecting = connecting
        let areStarted = (0..<connections).allSatisfy { _ in BackgroundThread.start { [self] in serve() } }
        guard areStarted, BackgroundThread.start({ [self] in expire() }) else {
            close()
            throw ReplayMemoryError(.unavailable, "no thread")
        }
    }

    /// Ends the threads. Uses without an answer get `unavailable`.
    func close() {
        let open = state.withLock { state in
            defer { (state.isClosed, state.waiting, state.open) = (true, [], []) }
            return state.open
        }
        for use in open { use.answer(.failure(ReplayMemoryError(.unavailable, "the memory is closed"))) }
        work.signal()
        watch.signal()
    }

    func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate) async throws(ReplayMemoryError) -> ReplayUse {
        guard end > now else { throw ReplayMemoryError(.ended) }
        let use = WaitingUse(identifier, until: end, now: now, StoreDeadline(in: time))
        let answer = await withCheckedContinuation { continuation in
            use.wait(continuation)
            if let refusal = add(use) { use.answer(.failure(refusal)) }
        }
        return try answer.get()
    }

    private func add(_ use: WaitingUse) -> ReplayMemoryError? {
        let refusal: ReplayMemoryError? = state.withLock { state in
            if state.isClosed { return ReplayMemoryError(.unavailable, "the memory is closed") }
            if state.waiting.count >= mostWaiting { return ReplayMemoryError(.unavailable, "too many uses wait") }
            state.waiting.append(use)
            state.open.append(use)
            return nil
        }
        guard refusal == nil else { return refusal }
        work.signal()
        watch.signal()
        return nil
    }

    private func next() -> WaitingUse? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

    private var isClosed: Bool { state.withLock(\.isClosed) }

    // One thread for each connection

    private func serve() {
        let worker = StoreWorker(connecting, time)
        while true {
            work.wait()
            while let use = next() { worker.serve(use) }
            if isClosed { return work.signal() }
        }
    }

    // The thread that ends waiting

    private static let step = 10_000_000

    private func expire() {
        while true {
            let isEmpty = state.withLock { state in
                state.open.removeAll { $0.isAnswered }
                return state.open.isEmpty
            }
            if isClosed { return watch.signal() }
            if isEmpty { watch.wait() } else { watch.wait(nanoseconds: Self.step) }
            // The oldest comes first.
            while let use = expired() { use.answer(.failure(ReplayMemoryError(.unavailable, "no answer in time"))) }
        }
    }

    private func expired() -> WaitingUse? {
        state.withLock { state in
            guard let first = state.open.first, first.deadline.isOver else { return nil }
            state.waiting.removeAll { $0 === first }
            return state.open.removeFirst()
        }
    }
}

/// Answers uses on one connection, which it makes, and makes again where it ends.
private final class StoreWorker {
    private let connecting: StoreWorkers.Connecting
    /// For an answer of the store, and the least for a connection.
    private let time: Duration
    private var connection: (any StoreConnection)?
    /// The next attempt to connect, and the pause after it.
    private var nextAttempt = StoreDeadline(milliseconds: 0)
    private var pause = StoreWorker.firstPause

    private static let firstPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(1)

    private static let leastForConnecting = Duration.seconds(2)

    init(_ connecting: @escaping StoreWorkers.Connecting, _ time: Duration) {
        self.connecting = connecting
        self.time = time
    }

    func serve(_ use: WaitingUse) {
        guard !use.isAnswered, !use.deadline.isOver else { return }
        do throws(StoreFailure) {
            let connection = try connected(use.deadline)
            // The connection may have taken all the time that the use had.
            guard !use.isAnswered else { return }
            // A use that waited long must not end a connection that works.
            use.answer(.success(try connection.use(use.identifier, until: use.end, now: use.now, StoreDeadline(in: time))))
            try connection.maintain(StoreDeadline(in: .seconds(5)))
        } catch {
            if error.endsConnection { connection = nil }
            use.answer(.failure(error.error))
        }
    }

    private func connected(_ deadline: StoreDeadline) throws(StoreFailure) -> any StoreConnection {
        if let connection, !connection.isOver { return connection }
        connection = nil
        // A store that is away is not asked more often than it is worth. The use waits, unless its time ends before.
        guard nextAttempt < deadline else { throw StoreFailure(.unavailable, "the store was away a moment ago", endsConnection: true) }
        PauseOfThread.sleep(nextAttempt.remaining)
        do throws(StoreFailure) {
            // Where many ask, the use that waited for the end of the pause has next to no time left: no connection would ever be made.
            let made = try connecting(StoreDeadline(in: max(time, Self.leastForConnecting)))
            connection = made
            pause = Self.firstPause
            nextAttempt = StoreDeadline(milliseconds: 0)
            return made
        } catch {
            nextAttempt = StoreDeadline(in: pause)
            pause = min(pause * 2, Self.longestPause)
            throw error
        }
    }
}
#endif
