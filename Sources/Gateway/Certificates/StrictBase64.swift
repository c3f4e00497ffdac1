internal import JWTCore

/// Base64 (RFC 4648 section 4) of one spelling: with its padding, without line breaks, and with unused bits of zero.
enum StrictBase64 {
    /// Nil for any other text.
    static func bytes(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        guard !range.isEmpty, range.count.isMultiple(of: 4) else { return nil }
        var letters: [UInt8] = []
        letters.reserveCapacity(range.count)
        var end = range.upperBound
        while end > range.upperBound - 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        for place in range.lowerBound..<end {
            switch text[place] {
            case UInt8(ascii: "+"): letters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): letters.append(UInt8(ascii: "_"))
            case let byte where byte.isLetter || byte.isDigit: letters.append(byte)
            default: return nil
            }
        }
        return try? Base64URL.bytes(letters.span)
    }
}
