/// The elements of DER (X.690 section 8.1) that private keys consist of.
enum DER {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    static let null: [UInt8] = [0x05, 0x00]

    /// An element: its tag, the length of its contents, its contents.
    static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let length = contents.count
        guard length > 127 else { return [tag, UInt8(length)] + contents }
        let digits = Array(bigEndianBytes(of: length).drop { $0 == 0 })
        return [tag, 0x80 | UInt8(digits.count)] + digits + contents
    }

    /// An INTEGER that is not negative, from its bytes.
    static func unsigned(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(integer, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
    }

    private static func bigEndianBytes(of number: Int) -> [UInt8] {
        stride(from: Int.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// Reads elements one after another. It never reads beyond its bytes.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The contents of the next element; nil if it has another tag or is cut off.
    mutating func contents(_ tag: UInt8) -> [UInt8]? {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            length = 0
            guard first <= 0x84 else { return nil }
            for _ in 0x80..<first {
                guard let digit = rest.popFirst() else { return nil }
                length = length << 8 | Int(digit)
            }
        }
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }

    /// A reader of the contents of the next element.
    mutating func inside(_ tag: UInt8) -> DERReader? { contents(tag).map { DERReader($0) } }
}
