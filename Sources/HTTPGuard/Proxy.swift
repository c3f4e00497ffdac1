/// An HTTP proxy that opens tunnels (`CONNECT`, RFC 9110 section 9.3.6). The connection to it is in plain text.
///
/// The proxy resolves the names, so the addresses behind them cannot be checked here. Only the proxy's own address is checked, and a host
/// written as an address. The proxy itself must refuse internal addresses. An https URL with an address as host is always refused: the
/// certificate would be compared with the proxy's address.
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

    /// For `Proxy-Authorization: Basic` (RFC 7617). They are sent to the proxy in plain text.
    public struct Credentials: Hashable, Sendable, CustomStringConvertible {
        let user: String
        let password: String

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// Without the password.
        public var description: String { "\(user):…" }
    }
}
