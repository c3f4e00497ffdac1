/// A regular expression, parsed.
indirect enum PatternNode {
    case set(ASCIISet)
    case start
    case end
    case sequence([PatternNode])
    case choice([PatternNode])
    case repeated(PatternNode, least: Int, most: Int?)
}

/// A set of ASCII characters.
struct ASCIISet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ bytes: some Sequence<UInt8>) { for byte in bytes { insert(byte) } }

    func contains(_ byte: UInt8) -> Bool { byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1 }

    mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }

    mutating func formUnion(_ other: Self) {
        low |= other.low
        high |= other.high
    }

    var inverted: Self {
        var set = self
        set.low = ~low
        set.high = ~high
        return set
    }

    static let digits = Self(UInt8(ascii: "0")...UInt8(ascii: "9"))
    static let word = Self(Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_".utf8))
    static let space = Self(Array(" \t\n\r\u{b}\u{c}".utf8))
    static let anything = Self(Array("\n\r".utf8)).inverted
}
