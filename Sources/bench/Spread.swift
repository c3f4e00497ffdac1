/// The 10th and the 90th percentile of a row's rounds. Other work of the machine widens it.
struct Spread: Codable, Sendable {
    let low: Double
    let high: Double

    /// Nil without values.
    init?(_ values: [Double]) {
        guard let low = Stopwatch.percentile10(values), let high = Stopwatch.percentile90(values) else { return nil }
        self.low = low
        self.high = high
    }

    init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }

    func text(_ figure: (Double) -> String) -> String { "\(figure(low))–\(figure(high))" }

    enum CodingKeys: String, CodingKey {
        case low = "p10"
        case high = "p90"
    }
}
