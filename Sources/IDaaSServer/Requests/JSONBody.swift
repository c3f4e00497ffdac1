internal import HTTPTypes
internal import IDaaSWire
internal import JWTCore

/// The JSON object in a request's body. Unknown members are ignored; duplicate names are refused.
package struct JSONBody: Sendable {
    private let document: ParsedJSON

    package static let maximumBytes = 65_536

    /// - Throws: `RequestRefusal` 415 for a body without a JSON content type; COMMON.1002 {0}=body for a body that is not a JSON object.
    package init(_ exchange: Exchange) throws {
        guard Self.isJSON(exchange.fields[.contentType]) else { throw RequestRefusal.unsupportedMediaType }
        try self.init(text: exchange.body)
    }

    /// Reads an optional body.
    package init(optional exchange: Exchange) throws {
        if exchange.body.isEmpty { try self.init(text: JSON.object([]).bytes) } else { try self.init(exchange) }
    }

    package init(text: [UInt8]) throws(ServiceError) {
        guard let document = try? ParsedJSON(text, limits: .requestBody), document.root.isObject else {
            throw ServiceError(.invalidFormat, "body")
        }
        self.document = document
    }

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
        guard let value = document.root[name], !value.isNull else { return nil }
        guard let text = value.string?.string else { throw ServiceError(.invalidType, name) }
        // Counts code points, as maxLength in the document does.
        guard text.unicodeScalars.count <= limit, !text.hasControlCharacter else { throw ServiceError(.invalidFormat, name) }
        return text
    }

    package func optionalBool(_ name: String) throws(ServiceError) -> Bool? {
        guard let value = document.root[name], !value.isNull else { return nil }
        guard let bool = value.bool else { throw ServiceError(.invalidType, name) }
        return bool
    }

    package func optionalInteger(_ name: String) throws(ServiceError) -> Int64? {
        guard let value = document.root[name], !value.isNull else { return nil }
        guard let integer = value.number?.int64 else { throw ServiceError(.invalidType, name) }
        return integer
    }

    /// An array or an object as its text, or a string that holds its text.
    package func optionalText(_ name: String, limit: Int) throws(ServiceError) -> String? {
        guard let value = document.root[name], !value.isNull else { return nil }
        guard value.bool == nil, value.number?.int64 == nil else { throw ServiceError(.invalidType, name) }
        // JSON may have line breaks between its values. Its reader refuses them in strings.
        var text = String(decoding: Array(copying: value.raw), as: UTF8.self)
        if let string = value.string { text = string.string }
        guard text.utf8.count <= limit else { throw ServiceError(.invalidFormat, name) }
        return text
    }
}

extension JSONLimits {
    /// The body of a request, of at most ``JSONBody/maximumBytes``.
    fileprivate static let requestBody = JSONLimits(
        depth: 16, members: 64, values: 4_096, stringBytes: JSONBody.maximumBytes, numberBytes: 64)
}
