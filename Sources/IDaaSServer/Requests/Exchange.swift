package import HTTPTypes
package import IDaaSWire

/// A request as endpoints see it: complete, with the origin that the connection shows.
package struct Exchange: Sendable {
    package let fields: HTTPFields
    /// The `Host` field, with the port.
    package let host: String?
    /// Query members, percent-decoded.
    package let query: [String: String]
    /// The variable segments of the path.
    package let parameters: [String: String]
    package let body: [UInt8]
    package let origin: RequestOrigin
    package let trail = AuditTrail()

    /// - Parameter query: the query as it was sent, without its question mark.
    /// - Throws: COMMON.1002 with `query` for a repeated name, an escape that is no UTF-8, or a control character; with `path` for a control
    ///   character in a segment.
    package init(
        fields: HTTPFields, host: String?, query: String, parameters: [String: String] = [:], body: [UInt8], origin: RequestOrigin
    ) throws(ServiceError) {
        guard let members = FormBody.members(of: query) else { throw ServiceError(.invalidFormat, "query") }
        guard !parameters.values.contains(where: \.hasControlCharacter) else { throw ServiceError(.invalidFormat, "path") }
        self.fields = fields
        self.host = host
        self.query = members
        self.parameters = parameters
        self.body = body
        self.origin = origin
    }

    /// The value of a field, nil where it is absent or blank.
    package func value(_ name: HTTPField.Name) -> String? {
        guard let value = fields[name]?.trimmed, !value.isEmpty else { return nil }
        return value
    }

    /// The value of a required field.
    ///
    /// - Throws: COMMON.1001 with the field's name, COMMON.1002 if it is longer than `limit` bytes.
    package func required(_ name: HTTPField.Name, limit: Int = 512) throws(ServiceError) -> String {
        guard let value = value(name) else { throw ServiceError(.missingParameter, name.rawName) }
        guard value.utf8.count <= limit else { throw ServiceError(.invalidFormat, name.rawName) }
        return value
    }

    /// The token of `Authorization: Bearer` (RFC 6750 section 2.1).
    ///
    /// - Throws: COMMON.1001 without the field, COMMON.1002 for another scheme or a field of more than `limit` bytes.
    package func bearerToken(limit: Int) throws(ServiceError) -> String {
        let parts = try required(.authorization, limit: limit).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw ServiceError(.invalidFormat, "Authorization") }
        return String(parts[1]).trimmed
    }
}

/// The origin of a request, and the preferences for its answer.
package struct RequestOrigin: Hashable, Sendable {
    /// The peer's address, or the one that a trusted proxy names.
    package var address: String
    /// Whether it came from a trusted proxy, or with a forwarding field, trusted or not.
    package var isForwarded: Bool
    /// Whether browsers see https: the server's own TLS, or its proxy's.
    package var isTLS: Bool
    package var language: Language
    package var requestID: String

    package init(address: String, isForwarded: Bool = false, isTLS: Bool = false, language: Language = .english, requestID: String) {
        self.address = address
        self.isForwarded = isForwarded
        self.isTLS = isTLS
        self.language = language
        self.requestID = requestID
    }
}

extension String {
    /// Without leading and trailing spaces and tabs.
    package var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[first...last])
    }
}
