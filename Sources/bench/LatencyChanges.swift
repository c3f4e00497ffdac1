import Foundation

/// Response times then and now, at the same share of what each run could bear. None is marked as worse: near capacity what the machine does
/// besides moves a tail by more than any tolerance.
struct LatencyChanges {
    let pairs: [(before: LatencyPoint, now: LatencyPoint)]

    var text: String {
        guard !pairs.isEmpty else { return "" }
        return "response in µs        load  arrivals/s then    now  p50 then      now   change   p99 then       now   change\n"
            + pairs.map(line).joined()
    }

    private func line(_ pair: (before: LatencyPoint, now: LatencyPoint)) -> String {
        let (before, now) = pair
        return now.name.padding(toLength: 22, withPad: " ", startingAt: 0) + String(format: "%3.0f%%", now.load * 100)
            + String(format: "%17.0f %6.0f", before.rate, now.rate)
            + String(format: "%10.1f %8.1f", before.response.p50, now.response.p50) + change(before.response.p50, now.response.p50)
            + String(format: "%11.1f %9.1f", before.response.p99, now.response.p99) + change(before.response.p99, now.response.p99) + "\n"
    }

    private func change(_ before: Double, _ now: Double) -> String { String(format: " %+7.1f%%", (now / before - 1) * 100) }
}
