/// The limits of one request. All are hard limits.
public struct RequestLimits: Hashable, Sendable {
    /// From the call to the last byte: names, connections, redirects and body.
    public var total: Duration
    /// For each address tried: the connection, the proxy's tunnel and the TLS handshake together.
    public var connect: Duration
    /// Bytes of a body, as received and as decoded.
    public var bodyBytes: Int
    /// Redirects followed, all to the same origin.
    public var redirects: Int

    public init(total: Duration = .seconds(3), connect: Duration = .seconds(1), bodyBytes: Int = 262_144, redirects: Int = 3) {
        self.total = total
        self.connect = connect
        self.bodyBytes = bodyBytes
        self.redirects = redirects
    }
}
