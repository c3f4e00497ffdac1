import Foundation

/// The numbers in all texts and pages of `bench`: a comma after each third digit, and alike decimals.
extension Double {
    /// The number with so many decimals: `1,234.5`.
    func grouped(_ decimals: Int = 0) -> String {
        let text = String(format: "%.\(decimals)f", self)
        let sign = text.hasPrefix("-") ? 1 : 0
        let digits = text.dropFirst(sign).prefix { $0 != "." }
        guard digits.allSatisfy(\.isNumber) else { return text }
        let whole = digits.enumerated().map { place, digit in
            place > 0 && (digits.count - place).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
        }
        return text.prefix(sign) + whole.joined() + text.dropFirst(sign + digits.count)
    }

    /// Nanoseconds or microseconds, with a decimal below one hundred.
    var timeText: String { grouped(abs(self) < 100 ? 1 : 0) }

    var ratioText: String { grouped(2) }

    /// A share as a percentage.
    var percentText: String { "\((self * 100).grouped()) %" }

    /// A change as a percentage with its sign.
    var changeText: String { (self < 0 ? "" : "+") + (self * 100).grouped(1) + " %" }
}
