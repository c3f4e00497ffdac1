internal import HTTPTypes
internal import IDaaSWire
internal import JWTCore

/// The JSON object in a request's body. Unknown members are ignored; duplicate names are refused.
package struct JSONBody: Hashable, Sendable {
    private let members: [String: Value]

    private enum Value: Hashable, Sendable {
        case string(String)
        case bool(Bool)
        case integer(Int64)
        case null
        /// An array, an object, or a number with a fraction: the text as sent.
        case other(String)
    }

    /// The limits of a body: 64 KiB, and this depth.
    package static let maximumBytes = 65_536
    private static let limits = JSONLimits(depth: 16, members: 64, values: 4_096, stringBytes: maximumBytes, numberBytes: 64)

    /// - Throws: `RequestRefusal` 415 for a body without a JSON content type; COMMON.1002 {0}=body for a body that is not a JSON object.
    package init(_ exchange: Exchange) throws {
        guard Self.isJSON(exchange.fields[.contentType]) else { throw RequestRefusal.unsupportedMediaType }
        try self.init(text: exchange.body)
    }

    /// Reads an optional body.
    package init(optional exchange: Exchange) throws {
        if exchange.body.isEmpty { self.init(members: [:]) } else { try self.init(exchange) }
    }

    package init(text: [UInt8]) throws(ServiceError) {
        guard let members = Self.members(of: text) else { throw ServiceError(.invalidFormat, "body") }
        self.init(members: members)
    }

    private init(members: [String: Value]) { self.members = members }

    /// `application/json`, with any charset that means UTF-8: the documented clients send `utf8`.
    package static func isJSON(_ contentType: String?) -> Bool {
        guard let parts = contentType?.lowercased().split(separator: ";").map({ String($0).trimmed }), let type = parts.first else {
            return false
        }
        guard type == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { parameter in
            guard parameter.hasPrefix("charset=") else { return true }
            return ["utf8", "utf-8"].contains(parameter.dropFirst(8).filter { $0 != "\"" })
        }
    }
}

extension JSONBody {
    /// A required string.
    ///
    /// - Throws: COMMON.1001 if it is absent, null or blank, COMMON.1007 if it is not a string, COMMON.1002 if it is too long or has
    ///   a control character.
    package func string(_ name: String, limit: Int = 256) throws(ServiceError) -> String {
        guard let text = try optionalString(name, limit: limit), !text.trimmed.isEmpty else {
            throw ServiceError(.missingParameter, name)
        }
        return text
    }

    package func optionalString(_ name: String, limit: Int = 256) throws(ServiceError) -> String? {
        switch members[name] {
        case nil, .null: return nil
        case .string(let text):
            // Counts code points, as maxLength in the document does.
            guard text.unicodeScalars.count <= limit, !text.hasControlCharacter else { throw ServiceError(.invalidFormat, name) }
            return text
        default: throw ServiceError(.invalidType, name)
        }
    }

    package func optionalBool(_ name: String) throws(ServiceError) -> Bool? {
        switch members[name] {
        case nil, .null: nil
        case .bool(let value): value
        default: throw ServiceError(.invalidType, name)
        }
    }

    package func optionalInteger(_ name: String) throws(ServiceError) -> Int64? {
        switch members[name] {
        case nil, .null: nil
        case .integer(let value): value
        default: throw ServiceError(.invalidType, name)
        }
    }

    /// An array or an object as its text, or a string that holds its text.
    package func optionalText(_ name: String, limit: Int) throws(ServiceError) -> String? {
        switch members[name] {
        // JSON may have line breaks between its values. Its reader refuses them in strings.
        case .other(let text), .string(let text):
            guard text.utf8.count <= limit else { throw ServiceError(.invalidFormat, name) }
            return text
        default: return try optionalString(name, limit: limit)
        }
    }
}

extension JSONBody {
    private static func members(of text: [UInt8]) -> [String: Value]? {
        let text = text.span
        // No more records than the text can have values and names, so that a short text needs little memory.
        var tape = [JSONNode](repeating: .placeholder, count: min(2 * limits.values, text.count + 2))
        guard let count = tokenize(text, &tape), count > 0 else { return nil }
        let root = JSONValue(text: text, tape: tape.span)
        guard root.isObject else { return nil }
        var members: [String: Value] = [:]
        root.forEachMember { name, value in
            let name = name.string
            // Every name of the wire is ASCII. Swift's strings are equal in every form of Unicode: U+212A KELVIN SIGN would be another `K`.
            if name.utf8.allSatisfy({ $0 < 0x80 }) { members[name] = Self.value(value) }
        }
        return members
    }

    private static func tokenize(_ text: Span<UInt8>, _ tape: inout [JSONNode]) -> Int? {
        var limits = limits
        limits.values = min(limits.values, max(1, tape.count / 2))
        var tokenizer = JSONTokenizer(text, tape: tape.mutableSpan, limits: limits)
        return try? tokenizer.tokenize()
    }

    private static func value(_ value: borrowing JSONValue) -> Value {
        if let text = value.string?.string { return .string(text) }
        if let bool = value.bool { return .bool(bool) }
        if value.isNull { return .null }
        let raw = text(of: value.raw)
        return Int64(raw).map(Value.integer) ?? .other(raw)
    }

    private static func text(of bytes: Span<UInt8>) -> String {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        return String(decoding: copy, as: UTF8.self)
    }
}
