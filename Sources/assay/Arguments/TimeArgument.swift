import ArgumentParser
import JWTCore

/// A point in time on the command line: a NumericDate (RFC 7519 section 2) or a date-time of RFC 3339 section 5.6, exact to the nanosecond.
enum TimeArgument {
    static func date(_ text: String) throws -> NumericDate {
        guard let date = NumericDate(decimal: text) ?? NumericDate(rfc3339: text) else {
            throw ValidationError("a time is seconds since 1970, such as 1700000100, or RFC 3339, such as 2026-11-21T08:00:00Z")
        }
        return date
    }
}

extension NumericDate {
    /// The date of a decimal number of seconds without an exponent, such as `1700000100.25`. Digits after the ninth decimal are cut off.
    init?(decimal text: some StringProtocol) {
        let isNegative = text.first == "-", parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count - text.drop(while: { $0 == "-" }).utf8.count <= 1, (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let seconds = Int64(parts[0])
        else { return nil }
        let nanoseconds = parts.count == 2 ? Self.nanoseconds(parts[1]) : 0
        guard isNegative else {
            self.init(seconds: seconds, nanoseconds: nanoseconds)
            return
        }
        self.init(seconds: -seconds - (nanoseconds > 0 ? 1 : 0), nanoseconds: nanoseconds > 0 ? 1_000_000_000 - nanoseconds : 0)
    }

    /// The date of a date-time of RFC 3339 section 5.6, in any offset from UTC. A leap second counts as the second after it.
    init?(rfc3339 text: String) {
        var rest = Digits(text)
        guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"), let day = rest.number(2),
            rest.skip("Tt "), let hour = rest.number(2), rest.skip(":"), let minute = rest.number(2), rest.skip(":"),
            let second = rest.number(2), hour < 24, minute < 60, second <= 60,
            let days = Self.days(year, month, day)
        else { return nil }
        let fraction = rest.skip(".") ? rest.digits() : "0"
        guard !fraction.isEmpty, let offset = rest.offset(), rest.isAtEnd else { return nil }
        self.init(seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset, nanoseconds: Self.nanoseconds(fraction))
    }

    private static func nanoseconds(_ fraction: some StringProtocol) -> UInt32 {
        let digits = fraction.prefix(9)
        return UInt32(digits + String(repeating: "0", count: 9 - digits.count)) ?? 0
    }

    /// The days from 1970-01-01 to a date of the Gregorian calendar; nil if there is no such date.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day) else { return nil }
        // Leap days up to the end of the year before: 719,162 days lie between 0001-01-01 and 1970-01-01.
        let before = year - 1
        let wholeYears = before * 365 + before / 4 - before / 100 + before / 400
        let leapDay: Int64 = year == 0 ? -1 : 0
        return wholeYears + leapDay + lengths[..<(Int(month) - 1)].reduce(0, +) + day - 1 - 719_162
    }
}

/// Reads a text of digits and separators from its start.
private struct Digits {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number(_ count: Int) -> Int64? {
        let digits = rest.prefix(count)
        guard digits.utf8.count == count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        return Int64(digits)
    }

    mutating func digits() -> Substring {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return digits
    }

    mutating func skip(_ separators: String) -> Bool {
        guard let first = rest.first, separators.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// The offset from UTC in seconds.
    mutating func offset() -> Int64? {
        if skip("Zz") { return 0 }
        let sign: Int64 = rest.first == "-" ? -1 : 1
        guard skip("+-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
