internal import HTTPEdge
internal import JWTCore

/// A JSON text to write. Members keep their given order.
///
/// Everything that the server writes as JSON is one of these: answers, claims, records of the store, the audit trail, exports. What it reads
/// as JSON is a ``ParsedJSON``.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSON])
    /// An object.
    case members([Member])
    /// A text that is JSON already: a record, a stored key, or a number in its own form.
    case verbatim(String)

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSON
    }

    /// The text on one line.
    package var text: String { write(indentation: nil) }
    /// The text on one line, as UTF-8.
    package var bytes: [UInt8] { Array(text.utf8) }
    /// The text on several lines, for people.
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
    /// A record, as its `Codable` type has it, with its members sorted by name.
    package init(encoding record: some Encodable) throws {
        self = .verbatim(String(decoding: try JSONTree(encoding: record).json, as: UTF8.self))
    }

    /// A finite number, with its decimals: `237.0`.
    package init(_ value: Double) { self = .verbatim(String(value)) }
    /// Whole seconds.
    package init(_ value: Duration) { self = .integer(value.components.seconds) }
    package init(_ value: String?) { self = value.map(JSON.string) ?? .null }

    package static func object(_ members: some Sequence<(String, JSON)>) -> JSON {
        .members(members.map { Member(name: $0.0, value: $0.1) })
    }

    /// An object without the members that have no value.
    static func object(present members: [(String, JSON?)]) -> JSON {
        object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}

extension JSON {
    private func write(indentation: Int?) -> String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .string(let value): QuotedText.json(value)
        case .verbatim(let text): text
        case .array(let elements):
            Self.enclose(elements.map { $0.write(indentation: indentation.map { $0 + 1 }) }, "[", "]", indentation)
        case .members(let members):
            Self.enclose(
                members.map {
                    QuotedText.json($0.name) + (indentation == nil ? ":" : ": ") + $0.value.write(indentation: indentation.map { $0 + 1 })
                }, "{", "}", indentation)
        }
    }

    private static func enclose(_ parts: [String], _ open: String, _ close: String, _ indentation: Int?) -> String {
        guard let indentation, !parts.isEmpty else { return open + parts.joined(separator: ",") + close }
        let inner = "\n" + String(repeating: "  ", count: indentation + 1)
        let outer = "\n" + String(repeating: "  ", count: indentation)
        return open + inner + parts.joined(separator: "," + inner) + outer + close
    }
}
