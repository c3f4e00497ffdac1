import Foundation
import JWTCore

/// Formats dates as text.
enum Times {
    /// The date claims, in the order of the output.
    static let claims = ["iat", "nbf", "exp", "auth_time", "updated_at"]

    /// A date in the form "2026-11-21 08:00:00 UTC, in 2 hours".
    static func words(_ date: NumericDate, now: NumericDate) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss 'UTC'"
        let text = formatter.string(from: Date(timeIntervalSince1970: Double(date.seconds)))
        let (difference, isFar) = date.seconds.subtractingReportingOverflow(now.seconds)
        if isFar || difference == .min { return text }
        if abs(difference) < 1 { return "\(text), now" }
        return difference > 0 ? "\(text), in \(span(difference))" : "\(text), \(span(-difference)) ago"
    }

    private static func span(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(31_557_600, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
        for (length, name) in units where seconds >= length {
            let count = seconds / length
            return "\(count) \(name)\(count == 1 ? "" : "s")"
        }
        return "0 seconds"
    }
}
