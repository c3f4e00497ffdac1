/// `text` for a terminal: control and format characters escaped, cut to `limit` bytes of UTF-8; "-" for nil. All text from a token, a
/// document, a server or a file must pass through one of these functions before a terminal shows it.
package func printable(_ text: String?, upTo limit: Int = 256) -> String {
    guard let text else { return "-" }
    var printable = ""
    var room = limit
    for scalar in text.unicodeScalars {
        let piece = scalar.printable
        room -= piece.utf8.count
        guard room >= 0 else { return printable + "…" }
        printable += piece
    }
    return printable
}

/// `text` escaped in the same way, but uncut and with its line breaks and tabs: for messages of several lines and for payloads.
package func printableLines(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += $1 == "\n" || $1 == "\t" ? String($1) : $1.printable }
}

/// `text` as a JSON string, escaped in the same way, uncut.
package func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : $1.printable }
    return "\"\(escaped)\""
}

/// A JSON document with the same value, without characters that a terminal acts on. In RFC 8259, C0 controls occur only as white space;
/// the other characters occur only in strings, where escapes can replace them.
package func printableJSON(_ json: String) -> String {
    // Most documents have only printable ASCII.
    if json.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return json }
    return json.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case "\n": text += "\n"
        case "\u{0}"..."\u{1f}": text += " "
        default: text += scalar.printable
        }
    }
}

extension Unicode.Scalar {
    /// The scalar, or its JSON escape if a terminal might act on it or show its neighbours differently: C0, DEL and C1 controls, format
    /// characters (including those for bidirectional text), line and paragraph separators.
    fileprivate var printable: String {
        if (0x20...0x7e).contains(value) { return String(self) }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return utf16.map(Self.escape).joined()
        default: return String(self)
        }
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
