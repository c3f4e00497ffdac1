/// Finds out in one pass whether a path has exactly one reading (``PathView``).
struct PathReading {
    private let rules: PathRules
    private var utf8 = UTF8Check()
    private var piece = Piece()
    /// The bytes of the segment so far.
    private var segmentCount = 0
    /// How many bytes ago an encoded percent sign stood, and whether hexadecimal digits alone have followed it.
    private var digitsAfterPercent: Int?

    /// A segment, or a part of one between encoded slashes, which some servers decode.
    private struct Piece {
        var count = 0, hasOtherThanDots = false, endsWithSpace = false, isInParameters = false

        mutating func add(_ byte: UInt8) {
            if byte == UInt8(ascii: ";") { isInParameters = true }
            guard !isInParameters else { return }
            count += 1
            endsWithSpace = byte == 0x20
            if byte != UInt8(ascii: ".") { hasOtherThanDots = true }
        }

        /// Whether it is no dot segment, and does not end with a space. Also for those who remove parameters.
        var isName: Bool { !endsWithSpace && (hasOtherThanDots || !(1...2).contains(count)) }
    }

    private init(_ rules: PathRules) { self.rules = rules }

    /// - Parameter raw: begins with a slash.
    static func isUnique(_ raw: Span<UInt8>, _ rules: PathRules) -> Bool {
        var reading = Self(rules), place = 1
        while place < raw.count {
            if raw[place] == UInt8(ascii: "%") {
                guard let byte = raw.percentDecoded(at: place, before: raw.count), reading.takeEncoded(byte) else { return false }
                place += 3
            } else {
                guard reading.take(raw[place]) else { return false }
                place += 1
            }
        }
        return reading.piece.isName && reading.utf8.isComplete
    }

    /// Takes a byte that was not encoded.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "#"),
            byte != UInt8(ascii: ";") || rules.allowsParameters
        else { return false }
        guard byte == UInt8(ascii: "/") else { return add(byte) }
        guard utf8.isComplete, piece.isName, rules.allowsEmptySegments || segmentCount > 0 else { return false }
        (piece, segmentCount, digitsAfterPercent) = (Piece(), 0, nil)
        return true
    }

    /// Takes a byte that was percent-encoded; false if that may mean something else to another reader.
    private mutating func takeEncoded(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0x7f, UInt8(ascii: "\\"): return false
        case UInt8(ascii: "/"):
            guard rules.allowsEncodedSlashes, utf8.isComplete, piece.isName else { return false }
            (piece, digitsAfterPercent) = (Piece(), nil)
            segmentCount += 3
            return true
        case UInt8(ascii: ";"): return rules.allowsParameters && add(byte)
        case UInt8(ascii: "%"):
            guard add(byte) else { return false }
            digitsAfterPercent = 0
            return true
        default: return add(byte)
        }
    }

    /// Adds a byte of the segment. False for two hexadecimal digits after an encoded percent sign, of which a second decoding would make
    /// another byte, and for what is not UTF-8.
    private mutating func add(_ byte: UInt8) -> Bool {
        if let digits = digitsAfterPercent {
            digitsAfterPercent = byte.hexadecimalValue == nil ? nil : digits + 1
            guard digitsAfterPercent != 2 else { return false }
        }
        segmentCount += 1
        piece.add(byte)
        return utf8.take(byte)
    }
}

/// Checks UTF-8 byte by byte (RFC 3629 section 4).
struct UTF8Check {
    private var following = 0
    /// The bounds of the next byte.
    private var bounds: ClosedRange<UInt8> = 0x80...0xbf

    var isComplete: Bool { following == 0 }

    mutating func take(_ byte: UInt8) -> Bool {
        guard following == 0 else {
            guard bounds.contains(byte) else { return false }
            (following, bounds) = (following - 1, 0x80...0xbf)
            return true
        }
        switch byte {
        case 0..<0x80: return true
        case 0xc2...0xdf: following = 1
        case 0xe0: (following, bounds) = (2, 0xa0...0xbf)
        case 0xed: (following, bounds) = (2, 0x80...0x9f)
        case 0xe1...0xef: following = 2
        case 0xf0: (following, bounds) = (3, 0x90...0xbf)
        case 0xf4: (following, bounds) = (3, 0x80...0x8f)
        case 0xf1...0xf3: following = 3
        default: return false
        }
        return true
    }
}
