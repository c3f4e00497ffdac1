internal import JWTCore

/// Rules out most names of a request by their length, their first and their last byte, without a comparison.
package struct NameFilter: Sendable {
    /// A bit for each place.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// - Parameter names: in lower case, none of them empty.
    package init(of names: [[UInt8]]) {
        for name in names {
            let place = Self.place(name.span)
            if place < 64 { low |= 1 << place } else { high |= 1 << (place - 64) }
        }
    }

    /// False only for a name that a server reads as none of the names (``Span/isAlias(of:in:)``).
    package func mayContain(_ name: Span<UInt8>) -> Bool {
        guard !name.isEmpty else { return false }
        let place = Self.place(name)
        return (place < 64 ? low >> place : high >> (place - 64)) & 1 == 1
    }

    /// From 0 to 127. The factors keep apart what requests have often: `user-agent` and `connection`, `authorization` and `x-http-method`.
    private static func place(_ name: Span<UInt8>) -> UInt64 {
        let first = UInt64(name[0].folded), last = UInt64(name[name.count - 1].folded)
        return (UInt64(truncatingIfNeeded: name.count) &* 3 &+ first &* 7 &+ last &* 37) & 127
    }
}

extension UInt8 {
    /// As a server reads it that takes every byte but letters and digits for a hyphen.
    fileprivate var folded: UInt8 { isLetter || isDigit ? lowercased : UInt8(ascii: "-") }
}
