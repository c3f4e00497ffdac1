#if HTTP
/// A request that is small enough to hold in memory.
public struct OutgoingRequest: Hashable, Sendable {
    /// In upper case: `GET`.
    public var method: String
    /// An absolute https URL.
    public var url: String
    /// `Host`, framing and content coding are not among them: they follow from the rest.
    public var fields: [HeaderField]
    public var body: [UInt8]
    /// Instead of those of the client.
    public var limits: RequestLimits?

    public init(_ method: String = "GET", url: String, fields: [HeaderField] = [], body: [UInt8] = [], limits: RequestLimits? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.limits = limits
    }

    /// Whether it may be sent again to where it is redirected: it changes nothing (RFC 9110 section 9.2.1).
    var isRepeatable: Bool { method == "GET" || method == "HEAD" }
}

/// An answer of any status, received as a whole.
public struct ReceivedResponse: Hashable, Sendable {
    public let status: Int
    /// In their order.
    public let fields: [HeaderField]
    /// Decoded, where it came in gzip or deflate.
    public let body: [UInt8]

    /// The first value of a field, its name in any case.
    func first(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }
}
#endif
