package import HTTPEdge

/// An instant in milliseconds since 1970-01-01 UTC.
package struct Timestamp: Comparable, Hashable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(seconds: Int64) { self.init(milliseconds: seconds * 1_000) }

    /// A NumericDate (RFC 7519 section 2): whole seconds, rounded down.
    package var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000 }

    package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    /// This instant plus `span`, in whole milliseconds.
    package static func + (instant: Self, span: Duration) -> Self {
        let (seconds, attoseconds) = span.components
        return Self(milliseconds: instant.milliseconds + seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    package static func - (instant: Self, span: Duration) -> Self { instant + (Duration.zero - span) }
}

extension ISOTime {
    package static func text(_ instant: Timestamp) -> String { text(milliseconds: instant.milliseconds) }
}
