#if IDaaS
/// A JSON text to be written, its members in the order given.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSON])
    /// An object.
    case members([Member])

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSON
    }

    /// The text in one line.
    package var text: String { write(indentation: nil) }
    /// The text over lines, for a person.
    package var indentedText: String { write(indentation: 0) + "\n" }

    package subscript(name: String) -> JSON? {
        guard case .members(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }
    package init(_ value: Int) { self = .integer(Int64(value)) }
    package init(_ value: String?) { self = value.map(JSON.string) ?? .null }

    package static func object(_ members: some Sequence<(String, JSON)>) -> JSON {
        .members(members.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSON {
    private func write(indentation: Int?) -> String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let elements):
            Self.enclose(elements.map { $0.write(indentation: indentation.map { $0 + 1 }) }, "[", "]", indentation)
        case .members(let members):
            Self.enclose(
                members.map {
                    Self.quoted($0.name) + (indentation == nil ? ":" : ": ") + $0.value.write(indentation: indentation.map { $0 + 1 })
                }, "{", "}", indentation)
        }
    }

    private static func enclose(_ parts: [String], _ open: String, _ close: String, _ indentation: Int?) -> String {
        guard let indentation, !parts.isEmpty else { return open + parts.joined(separator: ",") + close }
        let inner = "\n" + String(repeating: "  ", count: indentation + 1)
        let outer = "\n" + String(repeating: "  ", count: indentation)
        return open + inner + parts.joined(separator: "," + inner) + outer + close
    }

    /// RFC 8259 section 7: what has to be escaped, and nothing else.
    package static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
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
        return out + "\""
    }
}
#endif
