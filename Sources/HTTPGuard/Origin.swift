public import JWKSCache

/// Scheme, host and port of a request's target (RFC 6454 section 4).
public struct Origin: Hashable, Sendable {
    public let isSecure: Bool
    /// In lower case. An address has its shortest spelling, without brackets.
    public let host: String
    public let port: UInt16

    /// - Parameter text: `https://idp.example` or `https://idp.example:8443`, or any URL of that origin.
    /// - Throws: `RequestFailure` of reason `invalid_url`.
    public init(_ text: String) throws(RequestFailure) { self = try TargetURL(text).origin }

    init(isSecure: Bool, host: String, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }
}

extension Origin: CustomStringConvertible {
    /// The port is omitted if it is the scheme's default.
    public var description: String {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return (isSecure ? "https://" : "http://") + host + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
    }
}
