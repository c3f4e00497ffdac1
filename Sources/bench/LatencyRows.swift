/// What a verifier takes at shares of the load it can bear: generator and verifier on one pinned core, one token at a time.
struct LatencyRows {
    let effort: Effort

    static let names = ["es256.latency", "rs256.latency"]
    private static let loads = [0.5, 0.7, 0.8, 0.9, 0.95]

    /// The points of a curve; none where libcrypto lacks the algorithm.
    func points(_ name: String, _ stock: TokenStock) -> [LatencyPoint] {
        guard let tokens = stock.tokens(name.hasPrefix("rs256") ? .rs256 : .es256) else { return [] }
        let loop = OpenLoop(operation: tokens.verifies)
        let capacity = capacity(loop)
        return Self.loads.map { point(name, load: $0, capacity: capacity, loop) }
    }

    /// Tokens a second of the same loop when it never waits: the clock and the histograms take their part of both. The median of five.
    private func capacity(_ loop: OpenLoop) -> Double {
        let count = max(200, effort.requests / 20)
        let schedule = ArrivalSchedule(saturating: count)
        let rates = (0..<5).map { _ in
            Double(count) * 1e9 / Double(PinnedThreads.run([0]) { _ in loop.run(schedule) }[0].elapsed)
        }
        return Stopwatch.median(rates) ?? 1
    }

    private func point(_ name: String, load: Double, capacity: Double, _ loop: OpenLoop) -> LatencyPoint {
        let rate = capacity * load
        let count = min(effort.requests, max(200, Int(rate * effort.secondsPerLoad)))
        let schedule = ArrivalSchedule(rate: rate, count: count)
        let times = PinnedThreads.run([0]) { _ in loop.run(schedule) }[0]
        return LatencyPoint(
            name: name, load: load, capacity: capacity, rate: rate, samples: count, service: .init(times.service),
            response: .init(times.response), longestGap: Double(times.longestGap) / 1000)
    }
}
