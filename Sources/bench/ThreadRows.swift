import CAffinity
import Dispatch

/// What more threads bring: an operation on each core alone, one after the other, and on all at once. The ratio is the throughput of all
/// over that of one, the mean of those alone.
///
/// In the same round the cores just add, as much as they can and in registers alone, which shares nothing but what the machine has its cores
/// share: what of the machine's own gain the operation has is said as well. So is the gain by the quiet tenth of each core's rounds, alone and
/// beside the others: what strangers do on the machine comes and goes, what our threads do to each other does not.
struct ThreadRows {
    private let rounds: Int
    /// Threads that a round measures alone, at most.
    private let mostAlone: Int
    private let stopwatch: Stopwatch

    /// Longer rounds than of one thread, for those of a crew begin some microseconds apart.
    ///
    /// Whole runs measure each thread alone, for no two cores of a shared machine are alike. With 64 of them that takes minutes, so a quick
    /// run measures some alone, and divides its rounds among the rows of a kind: it takes no longer where there are more cores.
    init(effort: Effort) {
        rounds = effort.isQuick ? max(5, effort.rounds / 5 / Self.counts.count) : effort.rounds / 5
        mostAlone = effort.isQuick ? 4 : .max
        stopwatch = Stopwatch(rounds: rounds, secondsPerRound: 5 * effort.secondsPerRound)
    }

    /// Two, four and so on, and as many as there are cores.
    static let counts: [Int] = {
        var counts = [2]
        while counts[counts.count - 1] * 2 <= Effort.cores { counts.append(counts[counts.count - 1] * 2) }
        return Effort.cores > counts[counts.count - 1] ? counts + [Effort.cores] : counts
    }()

    /// What `operations` verify, one for each thread. Each begins elsewhere among its tokens.
    func row(_ name: String, tokensPerCall: Int = 1, _ operations: [@Sendable (Int) -> Bool]) -> Row? {
        guard operations.count <= Effort.cores, let first = operations.first else { return nil }
        let count = stopwatch.calls(filling: stopwatch.secondsPerRound, first)
        let gains = gains(operations.count) { thread, round in
            let operation = operations[thread], offset = thread * 1_000 / operations.count
            return Stopwatch.time(count, round) { operation($0 + offset) } / Double(tokensPerCall)
        }
        var row = Row(name, nanoseconds: Stopwatch.median(gains.map(\.time)) ?? 0, ratio: Stopwatch.median(gains.map(\.ratio)))
        row.machineShare = Stopwatch.median(gains.map { $0.ratio / $0.machine.ratio })
        row.quietRatio = Rates.quiet(gains.map(\.rates)).ratio
        return row
    }

    /// Additions alone: what more threads can bring here at most.
    func machineRow(_ name: String, threads: Int) -> Row? {
        guard threads <= Effort.cores else { return nil }
        let gains = gains(threads) { _, _ in 1 / Stopwatch.additionsPerNanosecond() }
        var row = Row(name, nanoseconds: Stopwatch.median(gains.map(\.time)) ?? 0, ratio: Stopwatch.median(gains.map(\.ratio)))
        row.quietRatio = Rates.quiet(gains.map(\.rates)).ratio
        return row
    }

    /// What a round found of the operation and, beside it, of the machine.
    private struct Gain {
        let rates: Rates
        let machine: Rates

        /// Nanoseconds of an operation with all at work.
        var time: Double { 1 / rates.together.reduce(0, +) }
        /// How much more all do than one.
        var ratio: Double { rates.ratio }
    }

    /// Operations in a nanosecond, of each core.
    private struct Rates {
        var alone: [Double]
        var together: [Double]

        var ratio: Double { together.reduce(0, +) / (alone.reduce(0, +) / Double(alone.count)) }

        /// What a tenth of the rounds were faster than.
        static func quiet(_ rounds: [Self]) -> Self {
            func quiet(_ rates: (Self) -> [Double]) -> [Double] {
                (rounds.first.map(rates) ?? []).indices.map { core in -(Stopwatch.quiet(rounds.map { -rates($0)[core] }) ?? 0) }
            }
            return Self(alone: quiet(\.alone), together: quiet(\.together))
        }
    }

    /// - Parameter operation: the nanoseconds that one takes, on this thread and in this round.
    private func gains(_ threads: Int, _ operation: @escaping @Sendable (Int, Int) -> Double) -> [Gain] {
        let crew = PinnedThreads(Array(0..<threads)), soloists = soloists(of: threads)
        return (0..<rounds).map { round in
            Gain(
                rates: Self.rates(crew, soloists) { 1 / operation($0, round) },
                machine: Self.rates(crew, soloists) { _ in Stopwatch.additionsPerNanosecond() })
        }
    }

    /// The threads that are measured alone, spread over the cores.
    private func soloists(of threads: Int) -> [Int] {
        let count = min(threads, mostAlone)
        return (0..<count).map { $0 * threads / count }
    }

    /// The rates of soloists, one at a time, and of all at once.
    private static func rates(_ crew: PinnedThreads, _ soloists: [Int], _ rate: @escaping @Sendable (Int) -> Double) -> Rates {
        Rates(alone: soloists.flatMap { crew.run([$0], rate) }, together: crew.run(nil, rate))
    }
}
