#if IDaaS
/// Instants as logs write them (RFC 3339, UTC, milliseconds).
package enum ISOTime {
    package static func text(_ instant: Timestamp) -> String {
        let day = floorDivided(instant.milliseconds, 86_400_000)
        let rest = instant.milliseconds - day * 86_400_000
        let (year, month, date) = civil(day)
        let clock = [(rest / 3_600_000, 2), (rest / 60_000 % 60, 2), (rest / 1_000 % 60, 2)].map(padded).joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T\(clock).\(padded(rest % 1_000, 3))Z"
    }

    /// Year, month and day of a day since 1970-01-01 in the proleptic Gregorian calendar, reckoned in eras of 400 years that begin in March.
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

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
#endif
