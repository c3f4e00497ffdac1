/// The response times of two runs at the same share of each run's capacity. No change is marked as worse: near capacity, other work of the
/// machine moves the tail by more than any tolerance.
struct LatencyChanges {
    let pairs: [(before: LatencyPoint, now: LatencyPoint)]

    var text: String {
        guard !pairs.isEmpty else { return "" }
        var table = TextTable([
            "response in µs", "load", "arrivals/s then", "now", "p50 then", "now", "change", "p99 then", "now", "change",
        ])
        for (before, now) in pairs {
            table.add(
                [now.name, now.load.percentText, before.rate.grouped(), now.rate.grouped()]
                    + change(before.response.p50, now.response.p50) + change(before.response.p99, now.response.p99))
        }
        return table.text
    }

    private func change(_ before: Double, _ now: Double) -> [String] {
        [before.timeText, now.timeText, (now / before - 1).changeText]
    }
}
