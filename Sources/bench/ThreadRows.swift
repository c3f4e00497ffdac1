import Dispatch

/// What more threads bring: verifications of one, each pinned to a core of its own, and of several at once. The ratio is throughput of all
/// over that of one.
struct ThreadRows {
    let tokens: BenchTokens
    let effort: Effort

    /// Two, four and so on, and as many as there are cores.
    static let counts: [Int] = {
        var counts = [2]
        while counts[counts.count - 1] * 2 <= Effort.cores { counts.append(counts[counts.count - 1] * 2) }
        return Effort.cores > counts[counts.count - 1] ? counts + [Effort.cores] : counts
    }()

    func row(_ name: String, threads: Int) -> Row {
        let count = Stopwatch(effort).calls(filling: effort.secondsPerRound, tokens.verifies)
        var ratios: [Double] = [], times: [Double] = []
        for _ in 0..<effort.rounds {
            let alone = rate(count, threads: 1), together = rate(count, threads: threads)
            ratios.append(together / alone)
            times.append(1e9 / together)
        }
        return Row(name, nanoseconds: Stopwatch.median(times) ?? 0, ratio: Stopwatch.median(ratios))
    }

    /// Tokens a second of all threads together. Each begins elsewhere among the tokens.
    private func rate(_ count: Int, threads: Int) -> Double {
        let tokens = tokens
        let rates = PinnedThreads.run(Array(0..<threads)) { thread in
            1e9 / Stopwatch.time(count, 0) { tokens.verifies($0 + thread * tokens.texts.count / threads) }
        }
        return rates.reduce(0, +)
    }
}
