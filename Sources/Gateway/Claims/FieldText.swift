internal import JWTCore

/// Text in a header field.
///
/// Printable ASCII stands for itself, except the percent sign. Every other byte of the UTF-8 is percent-encoded, and so are spaces at the
/// ends, which HTTP removes. So no claim can end a field, and each value has one reading: percent-decoding gives the claim back.
enum FieldText {
    /// - Parameter separator: characters that separate elements, and so are encoded inside one.
    static func append(_ text: borrowing JSONString, to field: inout [UInt8], separator: [UInt8] = []) {
        let raw = text.raw, isEscaped = text.isEscaped
        if !isEscaped, separator.isEmpty, isPlain(raw) { return field.append(raw) }
        var decoder = JSONStringDecoder(), isAtStart = true
        var next = decoder.next(in: raw, isEscaped: isEscaped)
        while let byte = next {
            next = decoder.next(in: raw, isEscaped: isEscaped)
            let isAtEnd = isAtStart || next == nil
            isAtStart = false
            if byte.isPrintable, byte != UInt8(ascii: "%"), byte != 0x20 || !isAtEnd, !separator.contains(byte) {
                field.append(byte)
            } else {
                field.append(percentEncoding: byte)
            }
        }
    }

    /// Whether the bytes stand for themselves.
    private static func isPlain(_ text: Span<UInt8>) -> Bool {
        guard !text.isEmpty, text[0] != 0x20, text[text.count - 1] != 0x20 else { return false }
        for place in text.indices where !text[place].isPrintable || text[place] == UInt8(ascii: "%") { return false }
        return true
    }
}
