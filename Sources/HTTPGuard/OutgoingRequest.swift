#if HTTP
/// A request that fits into memory.
public struct OutgoingRequest: Hashable, Sendable {
    /// In upper case: `GET`.
    public var method: String
    /// An absolute https URL.
    public var url: String
    /// Without `Host`, framing and content coding: the client sets them.
    public var fields: [HeaderField]
    public var body: [UInt8]
    /// Override the client's limits.
    public var limits: RequestLimits?

    public init(_ method: String = "GET", url: String, fields: [HeaderField] = [], body: [UInt8] = [], limits: RequestLimits? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.limits = limits
    }

    /// Whether it may be repeated for a redirect: it changes nothing (RFC 9110 section 9.2.1).
    var isRepeatable: Bool { method == "GET" || method == "HEAD" }

    /// The request for the target of a redirect. The validators are of the caller's copy from the first URL, and another URL may have the
    /// same entity tag for another document (RFC 9110 section 8.8.3).
    var redirected: OutgoingRequest {
        var request = self
        request.fields.removeAll { ["if-none-match", "if-modified-since"].contains($0.name.lowercased()) }
        return request
    }
}

/// A complete response of any status.
public struct ReceivedResponse: Hashable, Sendable {
    public let status: Int
    /// In their order.
    public let fields: [HeaderField]
    /// Decoded if it was sent in gzip or deflate.
    public let body: [UInt8]

    /// The first value of a field, its name in any case.
    func first(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
}
#endif
