/// A gateway's HTTP request to the authorization service.
public struct ProfileRequest: Sendable {
    public var method: String
    /// The authority that the gateway asked for: `Host` or `:authority`.
    public var host: String
    /// Path and query, as the gateway sent them.
    public var target: String
    /// In their order, with repetitions. Without `Host` if ``host`` has it.
    public var fields: [Field]

    public init(method: String, host: String, target: String, fields: [Field]) {
        self.method = method
        self.host = host
        self.target = target
        self.fields = fields
    }
}

/// The answer to a gateway. It has no body.
public struct ProfileReply: Hashable, Sendable {
    public var status: Int
    public var fields: [Field]

    public init(status: Int, fields: [Field]) {
        self.status = status
        self.fields = fields
    }
}
