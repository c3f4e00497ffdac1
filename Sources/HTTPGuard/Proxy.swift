#if HTTP
/// An HTTP proxy that opens tunnels (`CONNECT`, RFC 9110 section 9.3.6), to which it gets the connection in plain text.
///
/// With a proxy it is the proxy that resolves names, so the addresses behind them cannot be checked here. What is checked is the
/// address of the proxy itself, and a host that is written as an address. The proxy has to refuse internal addresses by itself. A URL of
/// https whose host is an address is refused altogether: the certificate would be compared with the proxy's address.
public struct Proxy: Hashable, Sendable {
    /// A name or an address.
    public var host: String
    public var port: UInt16
    public var credentials: Credentials?

    public init(host: String, port: UInt16, credentials: Credentials? = nil) {
        self.host = host
        self.port = port
        self.credentials = credentials
    }

    /// For `Proxy-Authorization: Basic` (RFC 7617). They go to the proxy in plain text.
    public struct Credentials: Hashable, Sendable, CustomStringConvertible {
        let user: String
        let password: String

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// Not the password.
        public var description: String { "\(user):…" }
    }
}
#endif
