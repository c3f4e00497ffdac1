/// Text in a header field.
///
/// Printable ASCII stands for itself, except the percent sign. Every other byte of the UTF-8 is percent-encoded, and so are spaces at the
/// ends, which HTTP removes. So no claim can end a field, and each value has one reading: percent-decoding gives the claim back.
enum FieldText {
    /// - Parameter separator: characters that separate elements, and so are encoded inside one.
    static func append(_ text: [UInt8], to field: inout [UInt8], separator: [UInt8] = []) {
        if field.isEmpty, separator.isEmpty, isPlain(text) { return field = text }
        for (position, byte) in text.enumerated() {
            let isAtEnd = position == 0 || position == text.count - 1
            if byte.isPrintable, byte != UInt8(ascii: "%"), byte != 0x20 || !isAtEnd, !separator.contains(byte) {
                field.append(byte)
            } else {
                field += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
    }

    /// Whether `text` stands for itself, without a separator.
    private static func isPlain(_ text: [UInt8]) -> Bool {
        text.first != 0x20 && text.last != 0x20 && text.allSatisfy { $0.isPrintable && $0 != UInt8(ascii: "%") }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
