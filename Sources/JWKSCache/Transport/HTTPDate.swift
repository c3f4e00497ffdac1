/// A date of an HTTP field in seconds since 1970 (RFC 9110 section 5.6.7): the current format and the two obsolete ones, which a recipient
/// must also accept.
package struct HTTPDate: Equatable {
    package let seconds: Int64

    /// Nil for anything else.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: { " ,-".contains($0) })
        switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT": self.init(day: words[1], month: words[2], year: words[3], time: words[4])
        // Sun Nov  6 08:49:37 1994
        case 5: self.init(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private init?(day: Substring, month: Substring, year: Substring, time: Substring) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Self.digits($0, count: 2...2) }
        guard let month = Self.months.firstIndex(of: String(month)), let day = Self.digits(day, count: 1...2), (1...31).contains(day),
            let year = Self.year(year), clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        seconds = 86_400 * Self.days(year, month + 1, day) + 3_600 * hour + 60 * minute + second
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func digits(_ text: Substring, count: ClosedRange<Int>) -> Int64? {
        guard count.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// A two-digit year is in 1970 to 2069 (RFC 850 dates).
    private static func year(_ text: Substring) -> Int64? {
        if let year = digits(text, count: 4...4) { return year >= 1970 ? year : nil }
        return digits(text, count: 2...2).map { $0 < 70 ? 2000 + $0 : 1900 + $0 }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar, counted from March so that the leap day comes last.
    private static func days(_ year: Int64, _ month: Int, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * Int64((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
