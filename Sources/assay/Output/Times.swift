import JWTCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Formats dates as text.
enum Times {
    /// The date claims, in the order of the output.
    static let claims = ["iat", "nbf", "exp", "auth_time", "updated_at"]

    /// A date in the form "2026-11-21 08:00:00 UTC, in 2 hours".
    static func words(_ date: NumericDate, now: NumericDate) -> String {
        let text = text(date, "%Y-%m-%d %H:%M:%S UTC")
        let (difference, isFar) = date.seconds.subtractingReportingOverflow(now.seconds)
        if isFar || difference == .min { return text }
        if abs(difference) < 1 { return "\(text), now" }
        return difference > 0 ? "\(text), in \(span(difference))" : "\(text), \(span(-difference)) ago"
    }

    /// A date in UTC, in a format of strftime(3).
    static func text(_ date: NumericDate, _ format: String) -> String {
        var seconds = time_t(date.seconds), parts = unsafe tm(), bytes = [CChar](repeating: 0, count: 64)
        // SAFETY: strftime(3) writes no more than the count, and returns how many.
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "\(date.seconds)" }
        let count = unsafe strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
