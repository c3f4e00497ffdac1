/// How the key cache reaches a document: one conditional GET at a time. ``JWKSCache`` itself knows no network.
///
/// An implementation enforces what only it can see: https, addresses, time-outs, sizes, redirects. It is called for one attempt and
/// does not retry.
public protocol DocumentTransport: Sendable {
    /// - Throws: why there is no answer. An answer of any status is one.
    func fetch(_ request: DocumentRequest) async throws(FetchFailure) -> DocumentResponse
}

/// A GET, conditional where an entity tag or a date of the copy at hand is known (RFC 9110 section 13.1).
public struct DocumentRequest: Hashable, Sendable {
    /// An absolute http or https URL.
    public let url: String
    /// Asks every cache on the way to look again: `Cache-Control: no-cache`.
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

    /// Whether a 304 is an answer to it.
    public var isConditional: Bool { entityTag != nil || lastModified != nil }
}

/// What came back: any status.
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

    /// The values of every field called `name`, in any case, joined by a comma (RFC 9110 section 5.3); nil without one.
    public func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.utf8.elementsEqual(name.utf8) || $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// Why there was no answer.
public struct FetchFailure: Error, Hashable, Sendable {
    public let reason: Reason
    /// For a person: never a header field, a body or a credential.
    public let detail: String

    public init(_ reason: Reason, _ detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    public enum Reason: String, Sendable, CaseIterable {
        /// Not an absolute https URL (or http to loopback where that is allowed), or one with a user, a password or a fragment.
        case invalidURL = "invalid_url"
        /// The name leads to an address that may not be dialled.
        case forbiddenAddress = "forbidden_address"
        /// The name leads nowhere.
        case unresolvedName = "unresolved_name"
        /// Refused, reset or ended before the answer did.
        case connection = "connection"
        /// No trust in the server's certificate, or no common TLS.
        case tls = "tls"
        /// The server's key is not the pinned one.
        case pinMismatch = "pin_mismatch"
        case timedOut = "timed_out"
        /// The answer is larger than the limit, before or after decoding.
        case tooLarge = "too_large"
        /// A redirect to another origin, or one too many.
        case redirect = "redirect"
        /// Not HTTP as RFC 9112 has it.
        case malformed = "malformed"
        /// The task that asked was cancelled: nothing is known about the document.
        case cancelled = "cancelled"
    }
}
