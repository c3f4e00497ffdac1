internal import JWTCore

/// A JSON value in ASCII without white space between its tokens: safe in a header field, and JSON as before (RFC 8259 section 7).
enum ASCIIJSON {
    /// - Parameter text: JSON that the tokenizer has accepted, so its strings are UTF-8.
    static func append(_ text: Span<UInt8>, to field: inout [UInt8]) {
        var isInString = false, position = 0
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            if isInString, byte == UInt8(ascii: "\\"), position + 1 < text.count {
                field.append(byte)
                field.append(text[position + 1])
                position += 2
            } else if byte >= 0x7f {
                position += appendEscaped(text, at: position, to: &field)
            } else {
                if isInString || byte > 0x20 { field.append(byte) }
                position += 1
            }
        }
    }

    /// Appends the scalar at `position` as UTF-16 escapes. Returns the number of its bytes.
    private static func appendEscaped(_ text: Span<UInt8>, at position: Int, to field: inout [UInt8]) -> Int {
        let first = UInt32(text[position])
        let count = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        var scalar = count == 1 ? first : first & (0x7f >> UInt32(count))
        for next in 1..<max(count, 1) where position + next < text.count { scalar = scalar << 6 | UInt32(text[position + next] & 0x3f) }
        guard scalar >= 0x10000 else {
            append(unit: scalar, to: &field)
            return count
        }
        append(unit: 0xd800 + (scalar - 0x10000) >> 10, to: &field)
        append(unit: 0xdc00 + (scalar - 0x10000) & 0x3ff, to: &field)
        return count
    }

    private static func append(unit: UInt32, to field: inout [UInt8]) {
        field.append(UInt8(ascii: "\\"))
        field.append(UInt8(ascii: "u"))
        for shift in stride(from: UInt32(0), to: 16, by: 4) { field.append(digits[Int(unit >> (12 - shift) & 15)]) }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
