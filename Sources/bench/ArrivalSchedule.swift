import Foundation

/// The intended arrival times, in nanoseconds from the start. They are made before the run, so that nothing in the run can delay one.
struct ArrivalSchedule: Sendable {
    let offsets: [UInt64]

    /// Poisson arrivals at `rate` per second, the same in every run.
    init(rate: Double, count: Int) {
        var random = SplitMix64(state: 0x6173_7361_79)
        var time = 0.0
        offsets = (0..<count).map { _ in
            time -= log(random.unit) * 1e9 / rate
            return UInt64(time)
        }
    }

    /// All requests arrive at once: each begins when the previous one has ended.
    init(saturating count: Int) { offsets = [UInt64](repeating: 0, count: count) }
}

/// The generator of Steele, Lea and Flood (2014), seeded so that the schedule is reproducible.
private struct SplitMix64 {
    var state: UInt64

    /// A random number above 0 and at most 1.
    var unit: Double {
        mutating get {
            state &+= 0x9e37_79b9_7f4a_7c15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
            return Double((bits ^ bits >> 31) >> 11 &+ 1) / Double(1 << 53)
        }
    }
}
