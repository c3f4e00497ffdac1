/// One measured row. Times are nanoseconds per operation, medians over rounds.
struct Row: Sendable {
    let name: String
    let opsPerSecond: Double
    var opensslOpsPerSecond: Double?
    /// OpenSSL's time divided by ours, median of the rounds. In `keys.…`, `….threads…` and `….cost` rows: the ratio that those rows
    /// describe.
    let ratio: Double?
    let nanoseconds: Double
    /// 10th percentile of the rounds: closer than the median to the time on an otherwise idle machine.
    var nanosecondsP10: Double?
    /// 90th percentile of the rounds.
    var nanosecondsP90: Double?
    /// The spread of ``ratio`` over the rounds. Older files do not have it.
    var ratioSpread: Spread?
    /// CPU cycles per operation: depends less than times on the clock rate and on other work of the machine.
    var cycles: Double?
    /// The gain from more threads, divided by that of additions in registers, which share no memory.
    var machineShare: Double?
    /// The gain from more threads in the fastest tenth of each core's rounds.
    var ratioP10: Double?
    var unit = "ns/token"
    /// Mean tokens per batch, if the batcher chose the size.
    var meanWidth: Double?

    init(_ name: String, nanoseconds: Double, raw: Double? = nil, ratio: Double? = nil) {
        self.name = name
        self.opsPerSecond = 1e9 / nanoseconds
        self.opensslOpsPerSecond = raw.map { 1e9 / $0 }
        self.ratio = ratio
        self.nanoseconds = nanoseconds
    }

    /// The spread of the time; nil in files of older runs.
    var nanosecondsSpread: Spread? {
        guard let low = nanosecondsP10, let high = nanosecondsP90 else { return nil }
        return Spread(low: low, high: high)
    }

    /// Whether a lower ratio is better, because it is a cost.
    var isCost: Bool { name == "keys.issuers1000" || name == "keys.refresh.p99" || name.hasSuffix(".cost") }
}

extension Row: Codable {
    enum CodingKeys: String, CodingKey {
        case name, ratio, unit, cycles
        case opsPerSecond = "ops_per_s"
        case opensslOpsPerSecond = "openssl_ops_per_s"
        case nanoseconds = "ns"
        case nanosecondsP10 = "ns_p10"
        case nanosecondsP90 = "ns_p90"
        case ratioSpread = "ratio_spread"
        case machineShare = "machine_share"
        case ratioP10 = "ratio_p10"
        case meanWidth = "mean_width"
    }
}
