extension NumericDate {
    /// The date given by a JSON number in any notation (`1.7e9` is `1700000000`). Digits after the ninth decimal are cut off. Nil beyond
    /// the year 9999 on either side of 1970.
    public init?(_ number: borrowing JSONNumber) {
        if number.isShort {
            self.init(seconds: number.raw.decimal)
            return
        }
        guard let decimal = Decimal(number.raw) else { return nil }
        let isNegative = number.raw[0] == UInt8(ascii: "-")
        guard isNegative else {
            self.init(seconds: decimal.seconds, nanoseconds: decimal.nanoseconds)
            return
        }
        let borrows = decimal.nanoseconds > 0
        self.init(
            seconds: -decimal.seconds - (borrows ? 1 : 0), nanoseconds: borrows ? 1_000_000_000 - decimal.nanoseconds : 0)
    }
}

extension JSONNumber {
    /// Whether it is a valid date: no further than the year 9999 on either side of 1970.
    var isDate: Bool { isShort || NumericDate(self) != nil }

    /// Whether it is an unsigned integer of at most eleven digits, as nearly all dates are.
    fileprivate var isShort: Bool { isInteger && raw.count <= 11 && raw.byte(at: 0) != UInt8(ascii: "-") }
}

/// The absolute value of a JSON number as seconds and nanoseconds.
private struct Decimal {
    var seconds: Int64 = 0
    var nanoseconds: UInt32 = 0

    /// Nil above ``NumericDate/latestSeconds``.
    init?(_ text: Span<UInt8>) {
        let shape = Shape(text)
        var ordinal = 0
        for index in 0..<shape.mantissaEnd where isDigit(text[index]) {
            // The place value of this digit: 0 for ones, 1 for tens, -1 for tenths …
            let place = shape.integerDigits - 1 - ordinal + shape.exponent
            ordinal += 1
            guard add(UInt8(text[index] - UInt8(ascii: "0")), at: place) else { return nil }
        }
    }

    private mutating func add(_ digit: UInt8, at place: Int) -> Bool {
        guard digit != 0, place >= -9 else { return true }
        guard place < 12 else { return false }
        if place >= 0 {
            seconds += Int64(digit) * Self.power(place)
        } else {
            nanoseconds += UInt32(digit) * UInt32(Self.power(9 + place))
        }
        return seconds <= NumericDate.latestSeconds
    }

    private static func power(_ exponent: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    /// The positions of the number's parts, and its exponent, clamped to the relevant range.
    private struct Shape {
        var mantissaEnd = 0
        var integerDigits = 0
        var exponent = 0

        init(_ text: Span<UInt8>) {
            var inFraction = false
            while mantissaEnd < text.count, text[mantissaEnd] | 0x20 != UInt8(ascii: "e") {
                if text[mantissaEnd] == UInt8(ascii: ".") { inFraction = true }
                if isDigit(text[mantissaEnd]), !inFraction { integerDigits += 1 }
                mantissaEnd += 1
            }
            guard mantissaEnd < text.count else { return }
            for index in mantissaEnd + 1..<text.count where isDigit(text[index]) {
                exponent = min(exponent * 10 + Int(text[index] - UInt8(ascii: "0")), 1_000_000)
            }
            if text[mantissaEnd + 1] == UInt8(ascii: "-") { exponent = -exponent }
        }
    }
}
