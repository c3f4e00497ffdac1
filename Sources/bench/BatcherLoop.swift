import Dispatch
import Histogram
import JWKSCache
import JWTCore
import Locks

/// ``OpenLoop`` through the opportunistic batcher. The generator starts a task on another core for each request and does not wait for it:
/// otherwise the batcher would never hold two tokens. The service time is measured in the task and includes the batcher's queue.
struct BatcherLoop: Sendable {
    private let texts: [[UInt8]]
    private let batcher: OpportunisticBatcher<KeySet>

    private static let executor = PinnedExecutor(cores: [1])

    init(_ tokens: BenchTokens) {
        texts = tokens.texts
        batcher = OpportunisticBatcher(tokens.verifier, workers: 1, executor: Self.executor)
    }

    func run(_ schedule: ArrivalSchedule) -> OpenLoop.Times {
        let times = Locked(OpenLoop.Times()), done = DispatchSemaphore(value: 0)
        let start = OpenLoop.clock + 1_000_000
        var longestGap: UInt64 = 0
        for (ordinal, offset) in schedule.offsets.enumerated() {
            longestGap = max(longestGap, OpenLoop.spin(until: start + offset))
            verify(texts[ordinal % texts.count], arrival: start + offset, times, done)
        }
        for _ in schedule.offsets { done.wait() }
        var all = times.withLock { $0 }
        all.longestGap = longestGap
        all.elapsed = OpenLoop.clock - start
        return all
    }

    private func verify(_ text: [UInt8], arrival: UInt64, _ times: Locked<OpenLoop.Times>, _ done: DispatchSemaphore) {
        Task(executorPreference: Self.executor) {
            let begin = OpenLoop.clock
            let isGood = (try? await batcher.verify(text)) != nil
            let end = OpenLoop.clock
            precondition(isGood, "a good token was refused: nothing was measured")
            times.withLock { $0.record(service: end - begin, response: end - arrival) }
            done.signal()
        }
    }
}
