import Histogram

/// Latency at one load, in microseconds.
struct LatencyPoint: Codable, Sendable {
    let name: String
    /// The intended share of the capacity.
    let load: Double
    let capacity: Double
    let rate: Double
    /// Verdicts per second from the first arrival to the last verdict; older files do not have it. If it is clearly below ``rate``, the
    /// verifier was overloaded.
    let achievedRate: Double?
    let samples: Int
    let service: Percentiles
    /// Measured from the intended arrival.
    let response: Percentiles
    let longestGap: Double

    struct Percentiles: Codable, Sendable {
        let p50: Double
        let p90: Double
        let p99: Double
        let p999: Double
        let max: Double
        let mean: Double

        enum CodingKeys: String, CodingKey {
            case p50, p90, p99, max, mean
            case p999 = "p99.9"
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, load, samples
        case capacity = "capacity_per_s"
        case rate = "rate_per_s"
        case achievedRate = "achieved_per_s"
        case service = "service_us"
        case response = "response_us"
        case longestGap = "longest_gap_us"
    }
}

extension LatencyPoint.Percentiles {
    init(_ histogram: Histogram<UInt64>) {
        func value(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) / 1000 }
        self.init(
            p50: value(50), p90: value(90), p99: value(99), p999: value(99.9), max: Double(histogram.max) / 1000,
            mean: histogram.mean / 1000)
    }

    var columns: [String] { [p50, p90, p99, p999, max].map(\.timeText) }
}

extension LatencyPoint {
    /// Whether tokens arrived faster than they were verified over the whole run.
    var isOverloaded: Bool { achievedRate.map { $0 < rate * 0.97 } ?? false }

    /// The name of the row with its load.
    var label: String { "\(name) at \(load.percentText)" }
}
