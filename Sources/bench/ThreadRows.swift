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

/// What more threads can bring here at most: arithmetic in registers, which shares nothing but what the machine itself has its cores share.
struct MachineRow {
    let effort: Effort

    func row(_ name: String, threads: Int) -> Row {
        let count = Stopwatch(effort).calls(filling: effort.secondsPerRound, Self.steps)
        var ratios: [Double] = [], times: [Double] = []
        for _ in 0..<effort.rounds {
            let alone = Self.rate(count, threads: 1), together = Self.rate(count, threads: threads)
            ratios.append(together / alone)
            times.append(1e9 / together)
        }
        return Row(name, nanoseconds: Stopwatch.median(times) ?? 0, ratio: Stopwatch.median(ratios))
    }

    private static func rate(_ count: Int, threads: Int) -> Double {
        PinnedThreads.run(Array(0..<threads)) { _ in 1e9 / Stopwatch.time(count, 0, steps) }.reduce(0, +)
    }

    /// A thousand dependent multiplications; true, but the compiler does not know.
    @inline(never)
    private static func steps(_ ordinal: Int) -> Bool {
        var state = UInt64(truncatingIfNeeded: ordinal) | 1
        for _ in 0..<1_000 { state = state &* 6_364_136_223_846_793_005 &+ 2 }
        return state & 1 == 1
    }
}
