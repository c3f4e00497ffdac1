extension JSONString {
    /// Whether the string has a scheme, and only characters that a URI may have (RFC 3986 sections 2 and 3.1). It allocates nothing.
    var hasFormOfURI: Bool {
        var decoder = JSONStringDecoder()
        var form = FormOfURI()
        while let byte = decoder.next(in: raw, isEscaped: isEscaped) {
            guard form.accepts(byte) else { return false }
        }
        return form.isComplete
    }
}

/// Reads a URI byte by byte.
private struct FormOfURI {
    private var isInScheme = true
    private var hasBegun = false
    /// Hexadecimal digits that a percent sign still needs.
    private var missingDigits = 0

    var isComplete: Bool { !isInScheme && missingDigits == 0 }

    mutating func accepts(_ byte: UInt8) -> Bool {
        if isInScheme { return acceptsInScheme(byte) }
        if missingDigits > 0 {
            missingDigits -= 1
            return Self.isHexadecimal(byte)
        }
        if byte == UInt8(ascii: "%") {
            missingDigits = 2
            return true
        }
        return Self.isUnreserved(byte) || Self.isReserved(byte)
    }

    private mutating func acceptsInScheme(_ byte: UInt8) -> Bool {
        defer { hasBegun = true }
        if byte == UInt8(ascii: ":") {
            isInScheme = false
            return hasBegun
        }
        return Self.isLetter(byte) || hasBegun && (Self.isDigit(byte) || "+-.".utf8.contains(byte))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte) }

    private static func isReserved(_ byte: UInt8) -> Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(byte) }
}
