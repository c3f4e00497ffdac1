import JWTCore

/// Writes a borrowed JSON value as text: members in their order, numbers and strings as they were, control characters escaped.
struct JSONWriter {
    let terminal: Terminal
    private(set) var text = ""

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// `value` over several lines, indented by two, coloured where the terminal is.
    static func pretty(_ value: borrowing JSONValue, on terminal: Terminal) -> String {
        var writer = JSONWriter(terminal)
        writer.write(value, indent: "")
        return writer.text
    }

    private mutating func write(_ value: borrowing JSONValue, indent: String) {
        if value.isObject {
            writeMembers(of: value, indent: indent)
        } else if value.isArray {
            writeElements(of: value, indent: indent)
        } else if let string = value.string {
            text += terminal.styled(quoted(string.string), .good)
        } else {
            text += terminal.styled(String(copying: value.raw), .warning)
        }
    }

    private mutating func writeMembers(of object: borrowing JSONValue, indent: String) {
        guard object.count > 0 else { return text += "{}" }
        var separator = "{\n"
        object.forEachMember { name, value in
            text += separator + indent + "  " + terminal.styled(quoted(name.string), .name) + ": "
            write(value, indent: indent + "  ")
            separator = ",\n"
        }
        text += "\n" + indent + "}"
    }

    private mutating func writeElements(of array: borrowing JSONValue, indent: String) {
        guard array.count > 0 else { return text += "[]" }
        var separator = "["
        array.forEachElement { value in
            text += separator
            write(value, indent: indent + "  ")
            separator = ", "
        }
        text += "]"
    }
}

/// `text` as a JSON string. Control characters are escaped, C1 and DEL too, so that a token cannot move a terminal's cursor.
func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": quoted += "\\\(scalar)"
        case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}":
            let digits = String(scalar.value, radix: 16)
            quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}

extension String {
    init(copying span: Span<UInt8>) {
        var bytes: [UInt8] = []
        for index in 0..<span.count { bytes.append(span[index]) }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
