import Foundation

/// One measured row. Times are nanoseconds per operation, medians over rounds.
struct Row: Codable {
    let name: String
    let opsPerSecond: Double
    let opensslOpsPerSecond: Double?
    /// Raw OpenSSL's time over ours, the median of the rounds' ratios.
    let ratio: Double?
    let nanoseconds: Double
    let unit: String

    enum CodingKeys: String, CodingKey {
        case name, ratio, unit
        case opsPerSecond = "ops_per_s"
        case opensslOpsPerSecond = "openssl_ops_per_s"
        case nanoseconds = "ns"
    }
}

/// Times two operations in turns, so that a machine that slows down slows both.
struct Stopwatch {
    let rounds: Int
    let secondsPerRound: Double

    func measure(_ name: String, _ operations: Workload.Prepared) -> Row {
        let count = calibrate(operations.ours)
        let rawCount = operations.raw.map(calibrate) ?? 0
        var ours: [Double] = [], raw: [Double] = [], ratios: [Double] = []
        for _ in 0..<rounds {
            var time = time(count, operations.ours)
            if let baseline = operations.baseline { time -= self.time(count, baseline) }
            ours.append(time)
            guard let operation = operations.raw else { continue }
            raw.append(self.time(rawCount, operation))
            ratios.append((raw.last ?? 0) / time)
        }
        let nanoseconds = Self.median(ours) ?? 0
        return Row(
            name: name, opsPerSecond: 1e9 / nanoseconds, opensslOpsPerSecond: Self.median(raw).map { 1e9 / $0 },
            ratio: Self.median(ratios), nanoseconds: nanoseconds, unit: "ns/token")
    }

    /// Calls that fill a round.
    private func calibrate(_ operation: (Int) -> Bool) -> Int {
        _ = time(16, operation)
        let nanoseconds = time(64, operation)
        return max(16, Int(secondsPerRound * 1e9 / max(nanoseconds, 1)))
    }

    private func time(_ count: Int, _ operation: (Int) -> Bool) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        var good = 0
        for ordinal in 0..<count where operation(ordinal) { good += 1 }
        let end = DispatchTime.now().uptimeNanoseconds
        precondition(good == count, "an operation gave the wrong answer: nothing was measured")
        return Double(end - start) / Double(count)
    }

    private static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        return values.sorted()[values.count / 2]
    }
}
