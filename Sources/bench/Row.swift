/// One measured row. Times are nanoseconds per operation, medians over rounds.
struct Row: Sendable {
    let name: String
    let opsPerSecond: Double
    var opensslOpsPerSecond: Double?
    /// Raw OpenSSL's time over ours, the median of the rounds' ratios. Of `keys.…` and `….threads…` what their rows compare.
    let ratio: Double?
    let nanoseconds: Double
    /// What a tenth of the rounds stayed below: nanoseconds where the core had itself to itself, on a machine that it shares with others.
    var quietNanoseconds: Double?
    /// Cycles of the core for one operation: what can be compared between machines of one kind, and between hours of one machine.
    var cycles: Double?
    /// What of the machine's own gain from more threads this has.
    var machineShare: Double?
    /// The gain from more threads by the quiet tenth of each core's rounds.
    var quietRatio: Double?
    var unit = "ns/token"
    /// Tokens of a batch on average, where the batcher chose.
    var meanWidth: Double?

    init(_ name: String, nanoseconds: Double, raw: Double? = nil, ratio: Double? = nil) {
        self.name = name
        self.opsPerSecond = 1e9 / nanoseconds
        self.opensslOpsPerSecond = raw.map { 1e9 / $0 }
        self.ratio = ratio
        self.nanoseconds = nanoseconds
    }

    /// Whether a lower ratio is the better one: it says what something costs.
    var isCost: Bool { name == "keys.issuers1000" || name == "keys.refresh.p99" }
}

extension Row: Codable {
    enum CodingKeys: String, CodingKey {
        case name, ratio, unit, cycles
        case opsPerSecond = "ops_per_s"
        case opensslOpsPerSecond = "openssl_ops_per_s"
        case nanoseconds = "ns"
        case quietNanoseconds = "ns_quiet"
        case machineShare = "machine_share"
        case quietRatio = "ratio_quiet"
        case meanWidth = "mean_width"
    }

    /// Each member of the contract is there, null where it does not apply.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(opsPerSecond, forKey: .opsPerSecond)
        try container.encode(opensslOpsPerSecond, forKey: .opensslOpsPerSecond)
        try container.encode(ratio, forKey: .ratio)
        try container.encode(nanoseconds, forKey: .nanoseconds)
        try container.encode(unit, forKey: .unit)
        try container.encodeIfPresent(quietNanoseconds, forKey: .quietNanoseconds)
        try container.encodeIfPresent(cycles, forKey: .cycles)
        try container.encodeIfPresent(machineShare, forKey: .machineShare)
        try container.encodeIfPresent(quietRatio, forKey: .quietRatio)
        try container.encodeIfPresent(meanWidth, forKey: .meanWidth)
    }
}
