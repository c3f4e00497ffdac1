import Foundation
import Histogram

/// Latency at one load, in microseconds.
struct LatencyPoint: Codable, Sendable {
    let name: String
    /// The share of the capacity that was asked for.
    let load: Double
    let capacity: Double
    let rate: Double
    /// Verdicts a second from the first arrival to the last verdict; nil in files of before it was recorded. Below ``rate`` by more than
    /// chance the verifier was overloaded, whatever share of its capacity was meant.
    let achievedRate: Double?
    let samples: Int
    let service: Percentiles
    /// From the intended arrival.
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

    /// As many as a table has columns for.
    fileprivate var columns: String { [p50, p90, p99, p999, max].map { String(format: "%9.1f", $0) }.joined() }
}

extension LatencyPoint {
    /// Whether more came than could be verified, in the run as a whole.
    var isOverloaded: Bool { achievedRate.map { $0 < rate * 0.97 } ?? false }

    /// Which point of which row it is.
    var label: String { "\(name) at \(String(format: "%.0f", load * 100)) %" }

    static func table(_ points: [LatencyPoint]) -> String {
        var text = "\nlatency in µs, Poisson arrivals, response from the intended arrival; verified on one core\n"
        text += "row                    load  arrivals/s  samples               p50      p90      p99    p99.9      max\n"
        for point in points {
            let name = point.name.padding(toLength: 22, withPad: " ", startingAt: 0)
            text += name + String(format: "%4.0f%% %11.0f %8d", point.load * 100, point.rate, point.samples)
            text += "  response" + point.response.columns + "\n"
            text += String(repeating: " ", count: 48) + "service " + point.service.columns
            text += point.isOverloaded ? "  overloaded\n" : "\n"
        }
        return text
    }
}
