import CommandProgram
import JWTCore

/// Writes a borrowed JSON value as text: members in their order, numbers unchanged, strings escaped by ``quoted(_:)``.
struct JSONWriter {
    let terminal: Terminal
    private(set) var text = ""

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// `value` on several lines, indented by two spaces, in colour if the terminal has colours.
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

extension String {
    init(copying span: Span<UInt8>) { self.init(decoding: Array(copying: span), as: UTF8.self) }
}
