#if IDaaS
/// An instant in milliseconds since 1970-01-01 UTC.
public struct Timestamp: Comparable, Hashable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public init(seconds: Int64) { self.init(milliseconds: seconds * 1_000) }

    /// A NumericDate (RFC 7519 section 2): whole seconds, rounded down.
    public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000 }

    public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    /// This instant so many seconds later.
    public static func + (instant: Self, seconds: Int) -> Self { Self(milliseconds: instant.milliseconds + Int64(seconds) * 1_000) }

    public static func - (instant: Self, seconds: Int) -> Self { instant + -seconds }
}
#endif
