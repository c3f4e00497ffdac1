internal import JWTCore

/// Text in a header field.
///
/// Printable ASCII stands for itself, except the percent sign. Every other byte of the UTF-8 is percent-encoded, and so are spaces at the
/// ends, which HTTP removes. So no claim can end a field, and each value has one reading: percent-decoding gives the claim back.
enum FieldText {
    /// - Parameter separator: characters that separate elements, and so are encoded inside one.
    static func append(_ text: borrowing JSONString, to field: inout [UInt8], separator: [UInt8] = []) {
        let raw = text.raw, isEscaped = text.isEscaped
        var decoder = JSONStringDecoder(), isAtStart = true
        var next = decoder.next(in: raw, isEscaped: isEscaped)
        while let byte = next {
            next = decoder.next(in: raw, isEscaped: isEscaped)
            let isAtEnd = isAtStart || next == nil
            isAtStart = false
            if byte.isPrintable, byte != UInt8(ascii: "%"), byte != 0x20 || !isAtEnd, !separator.contains(byte) {
                field.append(byte)
            } else {
                field.append(UInt8(ascii: "%"))
                field.append(hexadecimal[Int(byte >> 4)])
                field.append(hexadecimal[Int(byte & 15)])
            }
        }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}
