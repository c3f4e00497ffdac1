/// A JSON string in its text: borrowed, and compared without being unescaped first.
public struct JSONString: ~Escapable {
    /// The text between the quotes, as written. It is the string's own UTF-8 unless ``isEscaped``.
    public let raw: Span<UInt8>
    /// Whether ``raw`` contains escapes.
    public let isEscaped: Bool

    @_lifetime(copy raw)
    package init(_ raw: Span<UInt8>, isEscaped: Bool) {
        self.raw = raw
        self.isEscaped = isEscaped
    }

    /// The string, unescaped, as a new `String`.
    public var string: String { String(decoding: utf8, as: UTF8.self) }

    /// The string's UTF-8, unescaped, as a new array.
    public var utf8: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var decoder = JSONStringDecoder()
        while let byte = decoder.next(in: raw) { bytes.append(byte) }
        return bytes
    }

    /// Equality of the unescaped bytes; no normalisation (RFC 8259 section 8.3).
    public func equals(_ other: String) -> Bool { equals(other.utf8.span) }

    /// Equality of the unescaped bytes with UTF-8.
    public func equals(_ other: Span<UInt8>) -> Bool { equals(JSONString(other, isEscaped: false)) }

    /// Equality of the unescaped bytes with UTF-8.
    public func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

    /// Whether the unescaped string has more than `count` bytes for certain: an escape of six bytes stands for at least one.
    func exceeds(_ count: Int) -> Bool { raw.count > (isEscaped ? 6 * count : count) }

    func equals(_ literal: StaticString) -> Bool {
        isEscaped ? equals(literal.description) : raw.equals(literal)
    }

    func equals(_ other: borrowing JSONString) -> Bool {
        if !isEscaped && !other.isEscaped { return raw.equals(other.raw) }
        return equalsEscaped(other)
    }

    /// A separate function, because inlining it would make the usual path several times longer.
    @inline(never)
    private func equalsEscaped(_ other: borrowing JSONString) -> Bool {
        var mine = JSONStringDecoder()
        var theirs = JSONStringDecoder()
        while true {
            let byte = mine.next(in: raw, isEscaped: isEscaped)
            guard byte == theirs.next(in: other.raw, isEscaped: other.isEscaped) else { return false }
            if byte == nil { return true }
        }
    }
}

/// Steps through the text of a valid JSON string and yields its UTF-8, byte by byte.
package struct JSONStringDecoder {
    private var position = 0
    private var pending: UInt32 = 0
    private var pendingCount = 0

    package init() {}

    /// The next byte of the unescaped string, nil at its end. `raw` is the same at every call, and the tokenizer has accepted it.
    @inline(__always)
    package mutating func next(in raw: Span<UInt8>, isEscaped: Bool = true) -> UInt8? {
        if pendingCount > 0 {
            pendingCount -= 1
            return UInt8(truncatingIfNeeded: pending >> UInt32(8 * pendingCount))
        }
        guard position < raw.count else { return nil }
        let byte = raw[position]
        position += 1
        guard isEscaped, byte == UInt8(ascii: "\\"), position < raw.count else { return byte }
        let letter = raw[position]
        position += 1
        switch letter {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0c
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "r"): return 0x0d
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"): return scalar(in: raw)
        default: return letter
        }
    }

    /// The UTF-8 of the scalar whose digits are at the position: returns the first byte and stores the rest as pending.
    private mutating func scalar(in raw: Span<UInt8>) -> UInt8 {
        var scalar = codeUnit(in: raw)
        if scalar & 0xfc00 == 0xd800 {
            position += 2
            scalar = 0x10000 + (scalar & 0x3ff) << 10 + codeUnit(in: raw) & 0x3ff
        }
        switch scalar {
        case 0..<0x80: return UInt8(truncatingIfNeeded: scalar)
        case 0x80..<0x800: return lead(0xc0, scalar, 1)
        case 0x800..<0x10000: return lead(0xe0, scalar, 2)
        default: return lead(0xf0, scalar, 3)
        }
    }

    private mutating func lead(_ mark: UInt32, _ scalar: UInt32, _ continuations: Int) -> UInt8 {
        pending = 0
        for shift in stride(from: 6 * (continuations - 1), through: 0, by: -6) {
            pending = pending << 8 | 0x80 | scalar >> UInt32(shift) & 0x3f
        }
        pendingCount = continuations
        return UInt8(truncatingIfNeeded: mark | scalar >> UInt32(6 * continuations))
    }

    private mutating func codeUnit(in raw: Span<UInt8>) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 where position < raw.count {
            unit = unit << 4 | (hexDigit(raw[position]) ?? 0)
            position += 1
        }
        return unit
    }
}
