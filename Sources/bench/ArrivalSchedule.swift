import Foundation

/// When requests are to arrive, in nanoseconds from the start: made before the run, so that nothing in it can put one off.
struct ArrivalSchedule: Sendable {
    let offsets: [UInt64]

    /// Poisson arrivals at `rate` a second, the same in every run.
    init(rate: Double, count: Int) {
        var random = SplitMix64(state: 0x6173_7361_79)
        var time = 0.0
        offsets = (0..<count).map { _ in
            time -= log(random.unit) * 1e9 / rate
            return UInt64(time)
        }
    }

    /// All at once: each request begins when the one before it has ended.
    init(saturating count: Int) { offsets = [UInt64](repeating: 0, count: count) }
}

/// Steele, Lea and Flood's generator of 2014. Seeded, for a schedule that can be had again.
private struct SplitMix64 {
    var state: UInt64

    /// Above 0 and at most 1.
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
