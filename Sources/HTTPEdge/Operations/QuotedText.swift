/// Text in quotation marks.
package enum QuotedText {
    /// RFC 8259 section 7: escapes only what must be escaped.
    package static func json(_ text: String) -> String {
        var out = ""
        appendJSON(text, to: &out)
        return out
    }

    /// Appends `text` as ``json(_:)`` writes it.
    package static func appendJSON(_ text: String, to out: inout String) {
        out += "\""
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            out += text
        } else {
            for scalar in text.unicodeScalars { appendEscaped(scalar, to: &out) }
        }
        out += "\""
    }

    private static func appendEscaped(_ scalar: Unicode.Scalar, to out: inout String) {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        case "\n": out += "\\n"
        case "\r": out += "\\r"
        case "\t": out += "\\t"
        case "\u{0}"..<"\u{20}", "\u{7f}":
            let digits = String(scalar.value, radix: 16)
            out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: out.unicodeScalars.append(scalar)
        }
    }
}
