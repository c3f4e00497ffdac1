/// Seconds since 1970-01-01T00:00:00Z, ignoring leap seconds, with fractions (RFC 7519 section 2), exact to the nanosecond.
public struct NumericDate: Hashable, Comparable, Sendable {
    /// Whole seconds, rounded towards the past.
    public let seconds: Int64
    /// What is left, 0…999,999,999.
    public let nanoseconds: UInt32

    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = min(nanoseconds, 999_999_999)
    }

    /// 9999-12-31T23:59:59Z. Later dates are taken for mistakes: a token that never expires is not written as one that does.
    static let latestSeconds: Int64 = 253_402_300_799

    public static func < (a: Self, b: Self) -> Bool { (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds) }

    /// This date, `seconds` later (earlier if negative). Stops at the ends of the range instead of wrapping.
    public func advanced(by seconds: Int64) -> Self {
        let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
        return Self(seconds: overflow ? (seconds < 0 ? .min : .max) : sum, nanoseconds: nanoseconds)
    }
}

extension NumericDate: ExpressibleByIntegerLiteral {
    public init(integerLiteral seconds: Int64) { self.init(seconds: seconds) }
}

extension NumericDate {
    /// The date a JSON number gives, whatever its notation (`1.7e9` is `1700000000`). Digits behind the ninth decimal are cut off.
    /// Nil beyond the year 9999 on either side of 1970.
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
    /// Whether it gives a date: no further than the year 9999 on either side of 1970.
    var isDate: Bool { isShort || NumericDate(self) != nil }

    /// Whether it is an unsigned integer of at most eleven digits: what dates nearly always are.
    fileprivate var isShort: Bool { isInteger && raw.count <= 11 && raw.byte(at: 0) != UInt8(ascii: "-") }
}

/// The magnitude of a JSON number as seconds and nanoseconds.
private struct Decimal {
    var seconds: Int64 = 0
    var nanoseconds: UInt32 = 0

    /// Nil above ``NumericDate/latestSeconds``.
    init?(_ text: Span<UInt8>) {
        let shape = Shape(text)
        var ordinal = 0
        for index in 0..<shape.mantissaEnd where isDigit(text[index]) {
            // The place of this digit: 0 for ones, 1 for tens, -1 for tenths …
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

    /// Where the parts of a number are, and its exponent, cut to what still matters.
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
