import CAffinity
import Dispatch

/// Times two operations in turn, so that a slower machine slows both, and measures the clock rate beside them.
struct Stopwatch {
    let rounds: Int
    let secondsPerRound: Double

    init(rounds: Int, secondsPerRound: Double) {
        self.rounds = rounds
        self.secondsPerRound = secondsPerRound
    }

    init(_ effort: Effort) { self.init(rounds: effort.rounds, secondsPerRound: effort.secondsPerRound) }

    func measure(_ name: String, _ workload: Workload) -> Row {
        let count = calls(filling: secondsPerRound, workload.ours)
        let other = workload.raw ?? workload.own, isCost = workload.raw == nil
        let rawCount = other.map { calls(filling: secondsPerRound, $0) } ?? 0
        var ours: [Double] = [], whole: [Double] = [], base: [Double] = []
        var raw: [Double] = [], ratios: [Double] = [], cycles: [Double] = []
        for round in 0..<rounds {
            // The order alternates, so that neither operation always runs with the caches and clock rate that the other left.
            let isRawFirst = round % 2 == 1
            if isRawFirst, let operation = other { raw.append(Self.time(rawCount, round, operation)) }
            let clock = Self.cyclesPerNanosecond()
            var time = Self.time(count, round, workload.ours) / Double(workload.tokensPerCall)
            whole.append(time)
            if let baseline = workload.baseline {
                base.append(Self.time(count, round, baseline))
                time -= base[round]
            }
            ours.append(time)
            cycles.append(time * (clock + Self.cyclesPerNanosecond()) / 2)
            guard let operation = other else { continue }
            if !isRawFirst { raw.append(Self.time(rawCount, round, operation)) }
            ratios.append(isCost ? time / (raw.last ?? 0) : (raw.last ?? 0) / time)
        }
        let ratio = Self.median(ratios)
        var row = Row(name, nanoseconds: Self.median(ours) ?? 0, raw: isCost ? nil : Self.median(raw), ratio: ratio)
        row.cycles = Self.median(cycles)
        row.nanosecondsP10 = Self.percentile10(whole).map { $0 - (Self.percentile10(base) ?? 0) }
        row.nanosecondsP90 = Self.percentile90(ours)
        row.ratioSpread = Spread(ratios)
        return row
    }

    /// The current clock rate of the core: a chain of a hundred thousand additions takes a hundred thousand cycles.
    static func cyclesPerNanosecond() -> Double {
        let additions: UInt = 100_000
        let start = DispatchTime.now().uptimeNanoseconds
        caffinity_spin(additions)
        return Double(additions) / Double(DispatchTime.now().uptimeNanoseconds - start)
    }

    /// The current throughput of the core, in independent additions. Another hyperthread of the core slows these as it slows verifications;
    /// it hardly slows the chain of ``cyclesPerNanosecond()``.
    static func additionsPerNanosecond() -> Double {
        let additions: UInt = 400_000
        let start = DispatchTime.now().uptimeNanoseconds
        caffinity_spin_wide(additions)
        return Double(additions) / Double(DispatchTime.now().uptimeNanoseconds - start)
    }

    /// The number of calls that takes `seconds`. Doubling finds it and also warms up. The faster of two tries counts: an interruption would
    /// make the number too small.
    func calls(filling seconds: Double, _ operation: (Int) -> Bool) -> Int {
        var count = 1
        while true {
            let nanoseconds = min(Self.time(count, 0, operation), Self.time(count, 0, operation))
            if nanoseconds * Double(count) > seconds * 1e8 { return max(1, Int(seconds * 1e9 / nanoseconds)) }
            count *= 2
        }
    }

    /// Nanoseconds per call, over `count` calls. Each round continues with the tokens after those of the previous round.
    static func time(_ count: Int, _ round: Int, _ operation: (Int) -> Bool) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        var good = 0
        for ordinal in (round * count)..<((round + 1) * count) where operation(ordinal) { good += 1 }
        let end = DispatchTime.now().uptimeNanoseconds
        precondition(good == count, "an operation gave the wrong answer: nothing was measured")
        return Double(end - start) / Double(count)
    }

    static func median(_ values: [Double]) -> Double? { values.isEmpty ? nil : values.sorted()[values.count / 2] }

    static func percentile10(_ values: [Double]) -> Double? { values.isEmpty ? nil : values.sorted()[values.count / 10] }

    static func percentile90(_ values: [Double]) -> Double? { values.isEmpty ? nil : values.sorted()[values.count - 1 - values.count / 10] }
}
