/// A client's request as the gateway describes it. A profile makes one from the gateway's own message.
public struct RequestFacts: Sendable {
    public var method: String
    /// By which the client has asked, `http` or `https`; nil if the gateway does not say so.
    public var scheme: String?
    /// The authority that the client asked for, with its port if it named one.
    public var host: String
    /// Path and query as the client sent them, from the first slash.
    public var target: String
    /// The client's header fields in their order.
    public var fields: [Field]
    /// What the gateway adds about the route: Envoy's `context_extensions`, or a field that only the gateway can set.
    public var context: [String: String]
    /// The certificate of the client's connection; nil if the gateway tells none.
    public var certificate: ClientCertificate?
    /// The client's address, where a host keeps it for a log. It decides nothing.
    public var client: String?

    public init(
        method: String, scheme: String? = nil, host: String, target: String, fields: [Field] = [], context: [String: String] = [:]
    ) {
        self.method = method
        self.scheme = scheme
        self.host = host
        self.target = target
        self.fields = fields
        self.context = context
    }
}
