import Dispatch
import JWKSCache
import JWTCore
import Locks

/// The opportunistic batcher under saturation: one worker per core, and many tasks on two cores, each of which submits its next token as
/// soon as it has a verdict. Another row measures the same tasks without the batcher, because waiting tasks also have a cost.
struct BatcherRow {
    let tokens: BenchTokens
    let effort: Effort

    private static let tasks = 64
    private static let tokensPerTask = 32

    private static let executor = PinnedExecutor(cores: [0, 1])

    private typealias Verifying = @Sendable ([UInt8]) async -> Bool

    /// Through the batcher.
    func row(_ name: String) -> Row? {
        let batcher = OpportunisticBatcher(tokens.verifier, executor: Self.executor)
        var row = row(name) { (try? await batcher.verify($0)) != nil }
        row?.meanWidth = Self.mean(batcher.widths)
        return row
    }

    /// Each task verifies its tokens itself.
    func rowWithoutBatcher(_ name: String) -> Row? {
        let verifier = tokens.verifier
        return row(name) { (try? verifier.verify($0.span)) != nil }
    }

    private func row(_ name: String, _ verifies: @escaping Verifying) -> Row? {
        guard Effort.cores >= 2, let raw = RawOpenSSL(tokens) else { return nil }
        let workload = Workload(
            ours: { _ in saturates(verifies) }, raw: raw.verifies, tokensPerCall: Self.tasks * Self.tokensPerTask)
        // One call verifies thousands of tokens, so it takes as long as many rounds of other rows.
        let stopwatch = Stopwatch(rounds: effort.rounds / 3, secondsPerRound: effort.secondsPerRound)
        var row = stopwatch.measure(name, workload)
        // This thread sleeps while others verify, so its clock rate differs from theirs.
        row.cycles = nil
        return row
    }

    /// Whether every token of every task was accepted.
    private func saturates(_ verifies: @escaping Verifying) -> Bool {
        let texts = tokens.texts
        let good = Locked(0)
        let done = DispatchSemaphore(value: 0)
        for task in 0..<Self.tasks {
            Task(executorPreference: Self.executor) {
                var count = 0
                for turn in 0..<Self.tokensPerTask {
                    let text = texts[(task * Self.tokensPerTask + turn) % texts.count]
                    if await verifies(text) { count += 1 }
                }
                good.withLock { [count] in $0 += count }
                done.signal()
            }
        }
        for _ in 0..<Self.tasks { done.wait() }
        return good.withLock { $0 } == Self.tasks * Self.tokensPerTask
    }

    /// The mean number of tokens per batch.
    private static func mean(_ widths: [Int: Int]) -> Double {
        let batches = widths.values.reduce(0, +), tokens = widths.reduce(0) { $0 + $1.key * $1.value }
        return Double(tokens) / Double(max(1, batches))
    }
}
