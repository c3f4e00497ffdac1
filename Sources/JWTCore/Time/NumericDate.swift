/// Seconds since 1970-01-01T00:00:00Z, ignoring leap seconds, with fractions (RFC 7519 section 2), exact to the nanosecond.
public struct NumericDate: Hashable, Comparable, Sendable {
    /// Whole seconds, rounded towards the past.
    public let seconds: Int64
    /// The remaining fraction, 0…999,999,999.
    public let nanoseconds: UInt32

    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = min(nanoseconds, 999_999_999)
    }

    /// 9999-12-31T23:59:59Z. Later dates are treated as mistakes: they are not a way to write a token without an expiry.
    static let latestSeconds: Int64 = 253_402_300_799

    public static func < (a: Self, b: Self) -> Bool { (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds) }

    /// This date, `duration` later (earlier if negative). Whole seconds count; a fraction is cut off. Stops at the ends of the range.
    public func advanced(by duration: Duration) -> Self { advanced(bySeconds: duration.components.seconds) }

    /// This date, `seconds` later (earlier if negative). Stops at the ends of the range instead of wrapping.
    package func advanced(bySeconds seconds: Int64) -> Self {
        let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
        return Self(seconds: overflow ? (seconds < 0 ? .min : .max) : sum, nanoseconds: nanoseconds)
    }
}

extension NumericDate: ExpressibleByIntegerLiteral {
    public init(integerLiteral seconds: Int64) { self.init(seconds: seconds) }
}
