#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
public import JWTCore

/// Verifies together the tokens that are there together, and never has one wait for others to come.
///
/// A token is put into a queue, and a task is started that takes what is queued when its turn comes, up to ``widest`` at a time. On an idle
/// server that turn comes at once, and the token is verified alone; on a busy one the tasks that are ready before it have queued their
/// tokens by then, and a batch costs a fraction for each of them where the CPU has the kernels for it. As many such tasks as ``workers``
/// run at once. A batch asks no ``VerifiedTokenCache``, though the verifier has one.
///
/// ```swift
/// let batcher = OpportunisticBatcher(TokenVerifier(keys: keys, policy: policy))
/// let token = try await batcher.verify(text)          // from any number of tasks
/// ```
public final class OpportunisticBatcher<Keys: KeySource>: Sendable {
    public let verifier: TokenVerifier<Keys>
    public let workers: Int
    public let widest: Int
    private let executor: (any TaskExecutor)?
    private let state: Locked<State>

    /// Waiting tokens beyond which a task verifies its own: what waits is bounded, and nobody is turned away.
    private static var mostWaiting: Int { 4096 }

    private struct State {
        var queue: BatchQueue<Waiting>
        /// How often each width was verified, by width.
        var widths: [Int: Int] = [:]
    }

    private struct Waiting {
        let token: [UInt8]
        let continuation: CheckedContinuation<Result<VerifiedToken, VerificationError>, Never>
    }

    /// - Parameters:
    ///   - workers: tasks that verify at once; nil is one a core.
    ///   - widest: tokens of a batch at most. The kernels take eight at a time.
    ///   - executor: where those tasks run, for a server that has threads of its own; nil is Swift's pool.
    public init(_ verifier: TokenVerifier<Keys>, workers: Int? = nil, widest: Int = 8, executor: (any TaskExecutor)? = nil) {
        self.verifier = verifier
        self.workers = max(1, workers ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        self.widest = max(1, widest)
        self.executor = executor
        state = Locked(State(queue: BatchQueue(workers: self.workers, widest: self.widest)))
    }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why it is refused.
    public func verify(_ token: String) async throws(VerificationError) -> VerifiedToken { try await verify(Array(token.utf8)) }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why it is refused.
    public func verify(_ token: [UInt8]) async throws(VerificationError) -> VerifiedToken {
        // What is longer than any token does not wait with the others: what waits is bounded in bytes too.
        guard token.count <= verifier.limits.tokenBytes, state.withLock({ $0.queue.waiting.count < Self.mostWaiting }) else {
            return try verifier.verify(token.span)
        }
        let verdict = await withCheckedContinuation { continuation in
            enqueue(Waiting(token: token, continuation: continuation))
        }
        return try verdict.get()
    }

    /// How many batches of each width were verified.
    public var widths: [Int: Int] { state.withLock(\.widths) }

    private func enqueue(_ waiting: Waiting) {
        if state.withLock({ $0.queue.append(waiting) }) { Task(executorPreference: executor) { self.verifyWaiting() } }
    }

    /// Verifies what waits, a batch at a time, until nothing does.
    private func verifyWaiting() {
        var batch = TokenBatch()
        var taken = take(isDone: false)
        while !taken.isEmpty {
            batch.removeAll()
            for waiting in taken { batch.append(waiting.token.span) }
            verifier.withVerified(batch) { place, claims in
                taken[place].continuation.resume(returning: .success(VerifiedToken(claims)))
            } refused: { place, error in
                taken[place].continuation.resume(returning: .failure(error))
            }
            taken = take(isDone: true)
        }
    }

    private func take(isDone: Bool) -> [Waiting] {
        state.withLock { state in
            let batch = state.queue.take(isDone: isDone)
            if !batch.isEmpty { state.widths[batch.count, default: 0] += 1 }
            return batch
        }
    }
}
