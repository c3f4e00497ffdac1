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
/// As many tasks as ``workers`` verify at once. A token that finds one of them free is verified right away, alone; tokens that do not
/// are taken by the next that becomes free, up to ``widest`` at a time. So a server at idle verifies one by one, and a saturated one in
/// batches, which cost a fraction for each token where the CPU has the kernels for it.
///
/// ```swift
/// let batcher = OpportunisticBatcher(TokenVerifier(keys: keys, policy: policy))
/// let token = try await batcher.verify(text)          // from any number of tasks
/// ```
public final class OpportunisticBatcher<Keys: KeySource>: Sendable {
    public let verifier: TokenVerifier<Keys>
    public let workers: Int
    public let widest: Int
    private let state = Locked(State())

    /// Waiting tokens beyond which a task verifies its own: what waits is bounded, and nobody is turned away.
    private static var mostWaiting: Int { 4096 }

    private struct State {
        var isBusy = 0
        var waiting: [Waiting] = []
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
    public init(_ verifier: TokenVerifier<Keys>, workers: Int? = nil, widest: Int = 8) {
        self.verifier = verifier
        self.workers = max(1, workers ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        self.widest = max(1, widest)
    }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why it is refused.
    public func verify(_ token: String) async throws(VerificationError) -> VerifiedToken { try await verify(Array(token.utf8)) }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why it is refused.
    public func verify(_ token: [UInt8]) async throws(VerificationError) -> VerifiedToken {
        if begins() {
            defer { ended() }
            return try verifier.verify(token.span)
        }
        let verdict = await withCheckedContinuation { continuation in
            enqueue(Waiting(token: token, continuation: continuation))
        }
        return try verdict.get()
    }

    /// How many batches of each width were verified.
    public var widths: [Int: Int] { state.withLock(\.widths) }

    // Workers

    /// Takes a free worker's place.
    private func begins() -> Bool {
        state.withLock { state in
            guard state.isBusy < workers || state.waiting.count >= Self.mostWaiting else { return false }
            state.isBusy += 1
            state.widths[1, default: 0] += 1
            return true
        }
    }

    /// Gives the place back, or to a task for those that wait.
    private func ended() {
        let hasWaiting = state.withLock { state in
            if state.waiting.isEmpty || state.isBusy > workers { state.isBusy -= 1 }
            return !state.waiting.isEmpty && state.isBusy <= workers
        }
        if hasWaiting { Task { verifyWaiting() } }
    }

    private func enqueue(_ waiting: Waiting) {
        // Somebody may have become free since `begins`.
        let isFree = state.withLock { state in
            state.waiting.append(waiting)
            guard state.isBusy < workers else { return false }
            state.isBusy += 1
            return true
        }
        if isFree { Task { verifyWaiting() } }
    }

    /// Verifies what waits, a batch at a time, until nothing does. Holds a worker's place.
    private func verifyWaiting() {
        var batch = TokenBatch()
        while let taken = take() {
            batch.removeAll()
            for waiting in taken { batch.append(waiting.token.span) }
            verifier.withVerified(batch) { place, claims in
                taken[place].continuation.resume(returning: .success(VerifiedToken(claims)))
            } refused: { place, error in
                taken[place].continuation.resume(returning: .failure(error))
            }
        }
    }

    /// The tokens that have waited longest; nil gives the worker's place back.
    private func take() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy -= 1
                return nil
            }
            let taken = Array(state.waiting.prefix(widest))
            state.waiting.removeFirst(taken.count)
            state.widths[taken.count, default: 0] += 1
            return taken
        }
    }
}
