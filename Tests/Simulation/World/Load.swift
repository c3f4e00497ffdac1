/// Fetches in bins of one length.
struct Load: CustomStringConvertible {
    let total: Int
    let peak: Int
    let mean: Double

    init(_ bins: ArraySlice<Int>) {
        total = bins.reduce(0, +)
        peak = bins.max() ?? 0
        mean = Double(total) / Double(max(bins.count, 1))
    }

    var isEven: Bool { Double(peak) <= 3 * mean }
    var description: String { "peak \(peak), mean \((mean * 10).rounded() / 10)" }
}
