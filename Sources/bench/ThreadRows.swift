import CAffinity
import Dispatch

/// Scaling over threads: an operation on each core in turn, then on all cores at once. The ratio is the throughput of all divided by the
/// mean throughput of one.
///
/// Each round also times additions in registers, which share no memory: `machineShare` divides the operation's ratio by theirs. `ratioP10`
/// takes the fastest tenth of each core's rounds: other programs slow some rounds, our own threads slow all of them.
struct ThreadRows {
    private let rounds: Int
    /// The maximum number of threads that a round measures one at a time.
    private let mostAlone: Int
    private let stopwatch: Stopwatch

    /// Rounds are longer than with one thread, because the threads start some microseconds apart.
    ///
    /// Whole runs measure each thread separately, because the cores of a shared machine differ. With 64 cores that takes minutes: a quick
    /// run measures only a few threads separately, and divides its rounds among the rows of a kind.
    init(effort: Effort) {
        rounds = effort.isQuick ? max(5, effort.rounds / 5 / Self.counts.count) : effort.rounds / 5
        mostAlone = effort.isQuick ? 4 : .max
        stopwatch = Stopwatch(rounds: rounds, secondsPerRound: 5 * effort.secondsPerRound)
    }

    /// The powers of two from two on, and the number of cores.
    static let counts: [Int] = {
        var counts = [2]
        while counts[counts.count - 1] * 2 <= Effort.cores { counts.append(counts[counts.count - 1] * 2) }
        return Effort.cores > counts[counts.count - 1] ? counts + [Effort.cores] : counts
    }()

    /// The row of `operations`, one for each thread. Each thread starts at a different token.
    func row(_ name: String, tokensPerCall: Int = 1, _ operations: [@Sendable (Int) -> Bool]) -> Row? {
        guard operations.count <= Effort.cores, let first = operations.first else { return nil }
        let count = stopwatch.calls(filling: stopwatch.secondsPerRound, first)
        let gains = gains(operations.count) { thread, round in
            let operation = operations[thread], offset = thread * 1_000 / operations.count
            return Stopwatch.time(count, round) { operation($0 + offset) } / Double(tokensPerCall)
        }
        var row = Self.row(name, gains)
        row.machineShare = Stopwatch.median(gains.map { $0.ratio / $0.machine.ratio })
        return row
    }

    /// The row of additions: the upper bound of scaling on this machine.
    func machineRow(_ name: String, threads: Int) -> Row? {
        guard threads <= Effort.cores else { return nil }
        return Self.row(name, gains(threads) { _, _ in 1 / Stopwatch.additionsPerNanosecond() })
    }

    private static func row(_ name: String, _ gains: [Gain]) -> Row {
        let times = gains.map(\.time), ratios = gains.map(\.ratio)
        var row = Row(name, nanoseconds: Stopwatch.median(times) ?? 0, ratio: Stopwatch.median(ratios))
        row.nanosecondsP10 = Stopwatch.percentile10(times)
        row.nanosecondsP90 = Stopwatch.percentile90(times)
        row.ratioSpread = Spread(ratios)
        row.ratioP10 = Rates.fastestTenth(gains.map(\.rates)).ratio
        return row
    }

    /// The rates of one round, for the operation and for additions.
    private struct Gain {
        let rates: Rates
        let machine: Rates

        /// Nanoseconds per operation of all threads together.
        var time: Double { 1 / rates.together.reduce(0, +) }
        /// The throughput of all threads divided by that of one.
        var ratio: Double { rates.ratio }
    }

    /// Operations per nanosecond, for each core.
    private struct Rates {
        var alone: [Double]
        var together: [Double]

        var ratio: Double { together.reduce(0, +) / (alone.reduce(0, +) / Double(alone.count)) }

        /// The 90th percentile of each core's rates.
        static func fastestTenth(_ rounds: [Self]) -> Self {
            func percentile90(_ rates: (Self) -> [Double]) -> [Double] {
                (rounds.first.map(rates) ?? []).indices.map { core in -(Stopwatch.percentile10(rounds.map { -rates($0)[core] }) ?? 0) }
            }
            return Self(alone: percentile90(\.alone), together: percentile90(\.together))
        }
    }

    /// - Parameter operation: the nanoseconds of one operation on this thread in this round.
    private func gains(_ threads: Int, _ operation: @escaping @Sendable (Int, Int) -> Double) -> [Gain] {
        let crew = PinnedThreads(Array(0..<threads)), soloists = soloists(of: threads)
        return (0..<rounds).map { round in
            Gain(
                rates: Self.rates(crew, soloists) { 1 / operation($0, round) },
                machine: Self.rates(crew, soloists) { _ in Stopwatch.additionsPerNanosecond() })
        }
    }

    /// The threads that are measured one at a time, spread over the cores.
    private func soloists(of threads: Int) -> [Int] {
        let count = min(threads, mostAlone)
        return (0..<count).map { $0 * threads / count }
    }

    /// The rates of the soloists, measured one at a time, and of all threads at once.
    private static func rates(_ crew: PinnedThreads, _ soloists: [Int], _ rate: @escaping @Sendable (Int) -> Double) -> Rates {
        Rates(alone: soloists.flatMap { crew.run([$0], rate) }, together: crew.run(nil, rate))
    }
}
