extension JSONTokenizer {
    /// Reads a string (RFC 8259 section 7); the position is at its opening quote.
    mutating func string() throws(VerificationError) {
        let start = position + 1
        var hasEscapes = false
        position = start
        while true {
            position = text.jsonStringEnd(from: position)
            switch peek() {
            case UInt8(ascii: "\"") where position < text.count:
                guard position - start <= limits.stringBytes else { throw VerificationError(.tokenTooLarge, at: start - 1) }
                try append(JSONNode(.string, start: start, length: position - start, flag: hasEscapes))
                position += 1
                return
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape()
            default:
                throw failure()
            }
        }
    }

    /// Reads one escape. A high surrogate must be followed by a low one, which is read too.
    private mutating func escape() throws(VerificationError) {
        guard escapes < limits.escapes else { throw VerificationError(.tokenTooLarge, at: position) }
        escapes += 1
        position += 1
        switch peek() {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            if unit & 0xfc00 == 0xdc00 { throw failure() }
            guard unit & 0xfc00 == 0xd800 else { return }
            guard peek() == UInt8(ascii: "\\") else { throw failure() }
            position += 1
            guard peek() == UInt8(ascii: "u"), try codeUnit() & 0xfc00 == 0xdc00 else { throw failure() }
        default:
            throw failure()
        }
    }

    /// Four hexadecimal digits after the `u` at the position.
    private mutating func codeUnit() throws(VerificationError) -> UInt32 {
        guard position + 4 < text.count else { throw failure() }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            position += 1
            guard let digit = hexDigit(text[position]) else { throw failure() }
            unit = unit << 4 | digit
        }
        position += 1
        return unit
    }

    /// Reads a number (RFC 8259 section 6). Its value is computed only on access.
    mutating func number() throws(VerificationError) {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        if peek() == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits()
        }
        var isInteger = true
        if peek() == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        guard position - start <= limits.numberBytes else { throw VerificationError(.tokenTooLarge, at: start) }
        try append(JSONNode(.number, start: start, length: position - start, flag: !isInteger))
    }

    /// Reads one or more digits.
    @inline(__always)
    private mutating func digits() throws(VerificationError) {
        guard isDigit(peek()) else { throw failure() }
        while isDigit(peek()) { position += 1 }
    }
}

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}
