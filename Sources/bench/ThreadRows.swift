import CAffinity
import Dispatch

/// What more threads bring: an operation on each core alone, one after the other, and on all at once. The ratio is the throughput of all
/// over that of one, the mean of those alone. In the same round the cores just add, which shares nothing but what the machine has its cores
/// share: what of the machine's own gain the operation has is said as well.
struct ThreadRows {
    private let rounds: Int
    private let stopwatch: Stopwatch

    /// Longer rounds than of one thread, for those of a crew begin some microseconds apart.
    init(effort: Effort) {
        rounds = effort.rounds / 5
        stopwatch = Stopwatch(rounds: rounds, secondsPerRound: 5 * effort.secondsPerRound)
    }

    /// Two, four and so on, and as many as there are cores.
    static let counts: [Int] = {
        var counts = [2]
        while counts[counts.count - 1] * 2 <= Effort.cores { counts.append(counts[counts.count - 1] * 2) }
        return Effort.cores > counts[counts.count - 1] ? counts + [Effort.cores] : counts
    }()

    /// Whole verifications. Each thread begins elsewhere among the tokens.
    func row(_ name: String, threads: Int, _ tokens: BenchTokens) -> Row {
        let count = stopwatch.calls(filling: stopwatch.secondsPerRound, tokens.verifies)
        let gains = gains(threads) { thread, round in
            Stopwatch.time(count, round) { tokens.verifies($0 + thread * tokens.texts.count / threads) }
        }
        var row = Row(name, nanoseconds: Stopwatch.median(gains.map(\.time)) ?? 0, ratio: Stopwatch.median(gains.map(\.ratio)))
        row.machineShare = Stopwatch.median(gains.map { $0.ratio / $0.machine })
        return row
    }

    /// Additions alone: what more threads can bring here at most.
    func machineRow(_ name: String, threads: Int) -> Row {
        let gains = gains(threads) { _, _ in 1 / Stopwatch.cyclesPerNanosecond() }
        return Row(name, nanoseconds: Stopwatch.median(gains.map(\.time)) ?? 0, ratio: Stopwatch.median(gains.map(\.ratio)))
    }

    /// What a round found: nanoseconds of an operation with all at work, and how much more that is than one.
    private struct Gain {
        let time: Double
        let ratio: Double
        let machine: Double
    }

    /// - Parameter operation: the nanoseconds that one takes, on this thread and in this round.
    private func gains(_ threads: Int, _ operation: @escaping @Sendable (Int, Int) -> Double) -> [Gain] {
        let crew = PinnedThreads(Array(0..<threads))
        return (0..<rounds).map { round in
            let (alone, together) = Self.rates(crew, threads) { 1 / operation($0, round) }
            let machine = Self.rates(crew, threads) { _ in Stopwatch.cyclesPerNanosecond() }
            return Gain(time: 1 / together, ratio: together / alone, machine: machine.together / machine.alone)
        }
    }

    /// The rate of one, on each core alone, and that of all at once.
    private static func rates(
        _ crew: PinnedThreads, _ threads: Int, _ rate: @escaping @Sendable (Int) -> Double
    ) -> (alone: Double, together: Double) {
        let alone = (0..<threads).flatMap { crew.run([$0], rate) }.reduce(0, +) / Double(threads)
        return (alone, crew.run(nil, rate).reduce(0, +))
    }
}
