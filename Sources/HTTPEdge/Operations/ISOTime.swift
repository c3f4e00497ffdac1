/// Instants as logs write them (RFC 3339, UTC, milliseconds).
package enum ISOTime {
    /// - Parameter milliseconds: since 1970-01-01 UTC.
    package static func text(milliseconds: Int64) -> String {
        let day = floorDivided(milliseconds, 86_400_000)
        let rest = milliseconds - day * 86_400_000
        let (year, month, date) = civil(day)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        for (value, width, end) in [
            (year, 4, "-"), (month, 2, "-"), (date, 2, "T"), (rest / 3_600_000, 2, ":"), (rest / 60_000 % 60, 2, ":"),
            (rest / 1_000 % 60, 2, "."), (rest % 1_000, 3, "Z"),
        ] as [(Int64, Int, Unicode.Scalar)] {
            append(value, width, to: &text)
            text.append(UInt8(ascii: end))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends at least `width` digits.
    private static func append(_ value: Int64, _ width: Int, to text: inout [UInt8]) {
        let digits = String(value).utf8
        for _ in 0..<max(0, width - digits.count) { text.append(UInt8(ascii: "0")) }
        text.append(contentsOf: digits)
    }

    /// Year, month and day of a day since 1970-01-01 in the proleptic Gregorian calendar. The calculation uses eras of 400 years that begin
    /// in March.
    private static func civil(_ day: Int64) -> (Int64, Int64, Int64) {
        let shifted = day + 719_468
        let era = floorDivided(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }
}
