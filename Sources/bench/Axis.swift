import Foundation

/// A linear axis from zero, with ticks at 1, 2 or 5 times a power of ten: at least two after zero, and at most six.
struct Axis {
    let end: Double
    let step: Double

    /// - Parameter greatest: the greatest value on the axis, above zero.
    init(greatest: Double) {
        end = greatest
        let power = pow(10, (log10(greatest / 6)).rounded(.down))
        step = [1, 2, 5, 10].map { $0 * power }.first { greatest / $0 < 7 } ?? 10 * power
    }

    var ticks: [Double] { (0...Int(end / step)).map { Double($0) * step } }

    /// The tick's number, with as many decimals as the step has.
    func label(_ tick: Double) -> String { tick.grouped(max(0, Int(-log10(step).rounded(.down)))) }

    /// The place of a value as a percentage of the axis.
    func place(_ value: Double) -> String { String(format: "%.2f%%", min(max(value / end, 0), 1) * 100) }
}
