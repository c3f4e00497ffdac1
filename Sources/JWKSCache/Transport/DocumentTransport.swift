/// Fetches documents for the key cache: one conditional GET at a time. `JWKSCache` itself has no network code.
///
/// An implementation enforces the rules for https, addresses, time-outs, sizes and redirects. It is called for one attempt and does not
/// retry.
public protocol DocumentTransport: Sendable {
    /// - Throws: why there is no response. A response of any status is not an error.
    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse
}

// A GET of a document, conditional if the entity tag or the date of the current copy is known (RFC 9110 section 13.1).
extension OutgoingRequest {
    /// - Parameters:
    ///   - url: an absolute http or https URL.
    ///   - isForced: makes intermediate caches revalidate: `Cache-Control: no-cache`.
    ///   - entityTag: for `If-None-Match`, as it was received.
    ///   - lastModified: for `If-Modified-Since`, as it was received.
    public init(document url: String, isForced: Bool = false, entityTag: String? = nil, lastModified: String? = nil) {
        let types = "application/jwk-set+json, application/json"
        self.init(document: url, accept: types, isForced: isForced, entityTag: entityTag, lastModified: lastModified)
    }

    /// The same for documents of other types.
    ///
    /// - Parameter accept: the media types, for `Accept`.
    package init(
        document url: String, accept types: String, isForced: Bool = false, entityTag: String? = nil, lastModified: String? = nil
    ) {
        let fields = [
            HeaderField("Accept", types),
            entityTag.map { HeaderField("If-None-Match", $0) }, lastModified.map { HeaderField("If-Modified-Since", $0) },
            isForced ? HeaderField("Cache-Control", "no-cache") : nil,
        ]
        // A validator is text from a server. If it may not be sent, the fetch gets a full response; it does not fail.
        self.init(url: url, fields: fields.compactMap { $0 }.filter(\.isSendable))
    }

    /// Whether a 304 is a valid response.
    package var isConditional: Bool { entityTag != nil || lastModified != nil }
    package var isForced: Bool { first("Cache-Control") != nil }
    package var entityTag: String? { first("If-None-Match") }
    package var lastModified: String? { first("If-Modified-Since") }
}
