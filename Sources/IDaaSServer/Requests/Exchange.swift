#if IDaaS
package import HTTPTypes

/// A request as endpoints see it: received as a whole, and who sent it as far as the connection tells.
package struct Exchange: Sendable {
    package let fields: HTTPFields
    /// The `Host` field, with the port.
    package let host: String?
    /// Members of the query, percent-decoded; of a name that is repeated the first.
    package let query: [String: String]
    /// The variable segments of the path.
    package let parameters: [String: String]
    package let body: [UInt8]
    package let origin: RequestOrigin
    package let trail: AuditTrail

    package init(
        fields: HTTPFields, host: String? = nil, query: [String: String] = [:], parameters: [String: String] = [:], body: [UInt8] = [],
        origin: RequestOrigin, trail: AuditTrail = AuditTrail()
    ) {
        self.fields = fields
        self.host = host
        self.query = query
        self.parameters = parameters
        self.body = body
        self.origin = origin
        self.trail = trail
    }

    /// The value of a field, nil where it is absent or blank.
    package func value(_ name: HTTPField.Name) -> String? {
        guard let value = fields[name]?.trimmed, !value.isEmpty else { return nil }
        return value
    }

    /// The value of a field that has to be there.
    ///
    /// - Throws: COMMON.1001 with the field's name, COMMON.1002 where it is longer than `limit` bytes.
    package func required(_ name: HTTPField.Name, limit: Int = 512) throws(ServiceError) -> String {
        guard let value = value(name) else { throw ServiceError(.missingParameter, name.rawName) }
        guard value.utf8.count <= limit else { throw ServiceError(.invalidFormat, name.rawName) }
        return value
    }
}

/// Where a request came from and how it wants to be answered.
package struct RequestOrigin: Hashable, Sendable {
    /// The peer's address, or the one that a trusted proxy names.
    package var address: String
    /// Whether it came from a trusted proxy, whatever fields that adds, or with a field of one, believed or not.
    package var isForwarded: Bool
    package var language: Language
    package var requestID: String

    package init(address: String, isForwarded: Bool = false, language: Language = .chinese, requestID: String) {
        self.address = address
        self.isForwarded = isForwarded
        self.language = language
        self.requestID = requestID
    }
}

extension String {
    /// Without spaces and tabs at its ends.
    package var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[first...last])
    }
}
#endif
