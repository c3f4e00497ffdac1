extension JSONTree {
    /// The document in UTF-8, without white space, with its members sorted by name.
    package var json: [UInt8] {
        var text: [UInt8] = []
        append(to: &text)
        return text
    }

    private func append(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .number(let number): text += number.utf8
        case .string(let string): Self.append(string, to: &text)
        case .array(let elements):
            Self.append(elements, "[", "]", to: &text) { $0.append(to: &$1) }
        case .object(let members):
            Self.append(members.sorted { $0.key < $1.key }, "{", "}", to: &text) { member, text in
                Self.append(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.append(to: &text)
            }
        }
    }

    private static func append<Part>(
        _ parts: [Part], _ start: Unicode.Scalar, _ end: Unicode.Scalar, to text: inout [UInt8], _ write: (Part, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: start))
        for (place, part) in parts.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            write(part, &text)
        }
        text.append(UInt8(ascii: end))
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0x08: text += "\\b".utf8
            case 0x09: text += "\\t".utf8
            case 0x0a: text += "\\n".utf8
            case 0x0c: text += "\\f".utf8
            case 0x0d: text += "\\r".utf8
            case 0x00...0x1f: text += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
