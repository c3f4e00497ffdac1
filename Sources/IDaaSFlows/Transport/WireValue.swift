internal import IDaaSWire
internal import JWTCore

/// A JSON value that is read tolerantly: tenants also send a number as a string, and an object inside a string.
public indirect enum WireValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([WireValue])
    case object([String: WireValue])

    /// - Returns: nil for bytes that are not a JSON document.
    init?(json bytes: [UInt8]) {
        guard let tree = try? JSONTree(parsing: bytes) else { return nil }
        self.init(tree)
    }

    private init(_ tree: JSONTree) {
        switch tree {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let text): self = tree.integer.map(Self.integer) ?? .number(Double(text) ?? 0)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map(Self.init))
        case .object(let members): self = .object(members.mapValues(Self.init))
        }
    }

    subscript(_ name: String) -> WireValue? {
        guard case .object(let members) = self, let value = members[name], value != .null else { return nil }
        return value
    }

    /// The value; for a string that contains an object or a list, the content.
    var unwrapped: WireValue {
        guard case .text(let text) = self, let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first) else { return self }
        return WireValue(json: Array(text.utf8)) ?? self
    }

    /// A string, or a number as text.
    var text: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        default: nil
        }
    }

    /// ``text`` unless it is empty. Tenants send an empty string for an absent value.
    var filled: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    /// A whole number, or a string that contains one.
    var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number.rounded(.towardZero))
        case .text(let text): Int64(text.filter { !$0.isWhitespace })
        default: nil
        }
    }

    /// `true`, "true" or 1.
    var truth: Bool { self == .bool(true) || self == .integer(1) || text?.lowercased() == "true" }

    /// The elements of a list; nil for any other value.
    var elements: [WireValue]? { if case .list(let elements) = unwrapped { elements } else { nil } }

    var isObject: Bool { if case .object = self { true } else { false } }
}

extension WireValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let members = try? container.decode([String: WireValue].self) {
            self = .object(members)
        } else if let elements = try? container.decode([WireValue].self) {
            self = .list(elements)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    /// The document, with its members sorted by name.
    var json: [UInt8] {
        // Only a non-finite number cannot be written.
        (try? JSONTree(encoding: self).json) ?? []
    }
}

extension WireValue {
    /// The status of a login's reply, without the spaces that tenants send: " SOCIAL_BIND". A reply without a status is a success.
    var loginStatus: String { self[WireMember.status]?.text?.filter { !$0.isWhitespace } ?? LoginStatus.success }
}
