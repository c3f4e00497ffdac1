public import JWTCore
internal import Locks

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Verifies tokens that arrive together in one batch, and never delays a token to wait for others.
///
/// Each token is put into a queue, and a task is started that takes the queued tokens when it is scheduled, up to ``widest`` at a time. On
/// an idle server that happens immediately, and the token is verified alone. On a busy one, tasks that run before it have queued their
/// tokens by then, and each token of a batch costs a fraction if the CPU has the kernels. Up to ``workers`` such tasks run at once. A batch
/// does not use the verifier's `VerifiedTokenCache`.
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

    /// Above this number of waiting tokens, a task verifies its own: the queue is bounded, and no token is rejected.
    private static var mostWaiting: Int { 4096 }

    private struct State {
        var queue: BatchQueue<Waiting>
        /// The number of batches of each width.
        var widths: [Int: Int] = [:]
    }

    private struct Waiting {
        let token: [UInt8]
        let continuation: CheckedContinuation<Result<VerifiedToken, VerificationError>, Never>
    }

    /// - Parameters:
    ///   - verifier: judges each token.
    ///   - workers: tasks that verify at once; nil means one per core.
    ///   - widest: the maximum number of tokens in a batch. The kernels take eight at a time.
    ///   - executor: runs these tasks, for a server with its own threads; nil is Swift's pool.
    public init(_ verifier: TokenVerifier<Keys>, workers: Int? = nil, widest: Int = 8, executor: (any TaskExecutor)? = nil) {
        self.verifier = verifier
        self.workers = max(1, workers ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        self.widest = max(1, widest)
        self.executor = executor
        state = Locked(State(queue: BatchQueue(workers: self.workers, widest: self.widest)))
    }

    /// Verifies `token` and returns a copy of its content.
    ///
    /// - Throws: why it is refused.
    public func verify(_ token: String) async throws(VerificationError) -> VerifiedToken { try await verify(Array(token.utf8)) }

    /// Verifies `token` and returns a copy of its content.
    ///
    /// - Throws: why it is refused.
    public func verify(_ token: [UInt8]) async throws(VerificationError) -> VerifiedToken {
        // Too long tokens are not queued: the queue is bounded in bytes too.
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

    /// Verifies waiting tokens, one batch at a time, until the queue is empty.
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
