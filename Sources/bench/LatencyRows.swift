/// Latency at shares of the capacity. Generator and verifier share one pinned core, one token at a time; through the batcher, which serves
/// many tasks, the generator has its own core.
struct LatencyRows {
    let effort: Effort

    static let names = ["es256.latency", "es256.batcher.latency", "rs256.latency"]
    private static let loads = [0.5, 0.7, 0.8, 0.9, 0.95]

    private typealias Loop = @Sendable (ArrivalSchedule) -> OpenLoop.Times

    /// The points of a curve; empty if libcrypto lacks the algorithm.
    func points(_ name: String, _ stock: TokenStock) -> [LatencyPoint] {
        guard let tokens = stock.tokens(name.hasPrefix("rs256") ? .rs256 : .es256) else { return [] }
        let loop: Loop = name.contains(".batcher.") ? BatcherLoop(tokens).run : OpenLoop(operation: tokens.verifies).run
        // One thread does everything; measuring the capacity warms it up.
        let thread = PinnedThreads([0])
        let capacity = capacity(thread, loop)
        return Self.loads.map { point(name, load: $0, capacity: capacity, thread, loop) }
    }

    /// Tokens per second of the same loop without waiting, including the cost of clock and histograms. The median of five runs.
    private func capacity(_ thread: PinnedThreads, _ loop: @escaping Loop) -> Double {
        let count = max(200, effort.requests / 20)
        let schedule = ArrivalSchedule(saturating: count)
        let rates = (0..<5).map { _ in
            Double(count) * 1e9 / Double(thread.run { _ in loop(schedule) }[0].elapsed)
        }
        return Stopwatch.median(rates) ?? 1
    }

    private func point(
        _ name: String, load: Double, capacity: Double, _ thread: PinnedThreads, _ loop: @escaping Loop
    ) -> LatencyPoint {
        let rate = capacity * load
        let count = min(effort.requests, max(200, Int(rate * effort.secondsPerLoad)))
        let schedule = ArrivalSchedule(rate: rate, count: count)
        let times = thread.run { _ in loop(schedule) }[0]
        return LatencyPoint(
            name: name, load: load, capacity: capacity, rate: rate, achievedRate: Double(count) * 1e9 / Double(times.elapsed),
            samples: count, service: .init(times.service), response: .init(times.response),
            longestGap: Double(times.longestGap) / 1000)
    }
}
