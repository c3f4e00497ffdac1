/// Fetches documents for the key cache: one conditional GET at a time. `JWKSCache` itself has no network code.
///
/// An implementation enforces the rules for https, addresses, time-outs, sizes and redirects. It is called for one attempt and does not
/// retry.
public protocol DocumentTransport: Sendable {
    /// - Throws: why there is no response. A response of any status is not an error.
    func fetch(_ request: DocumentRequest) async throws(TransportFailure) -> DocumentResponse
}

/// A GET, conditional if the entity tag or the date of the current copy is known (RFC 9110 section 13.1).
public struct DocumentRequest: Hashable, Sendable {
    /// An absolute http or https URL.
    public let url: String
    /// Makes intermediate caches revalidate: `Cache-Control: no-cache`.
    public let isForced: Bool
    /// For `If-None-Match`, as it was received.
    public let entityTag: String?
    /// For `If-Modified-Since`, as it was received.
    public let lastModified: String?

    public init(url: String, isForced: Bool = false, entityTag: String? = nil, lastModified: String? = nil) {
        self.url = url
        self.isForced = isForced
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Whether a 304 is a valid response.
    public var isConditional: Bool { entityTag != nil || lastModified != nil }
}

/// A response of any status.
public struct DocumentResponse: Sendable {
    public let status: Int
    /// The header fields, in their order.
    public let fields: [(name: String, value: String)]
    /// The body, decoded from any content coding, within the transport's limit.
    public let body: [UInt8]

    public init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The values of every field called `name`, in any case, joined by a comma (RFC 9110 section 5.3); nil if there is none.
    public func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.utf8.elementsEqual(name.utf8) || $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
