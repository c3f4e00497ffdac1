#if Gateway
/// How keys are fetched.
public struct TransportSettings: Hashable, Sendable {
    /// PEM of certificate authorities that are trusted in addition to those of the system.
    public var authorities: String?
    /// Whether only ``authorities`` are trusted, and those of the system are not.
    public var trustsOnlyAuthorities = false
    /// Whether issuers may be in a private network; behind a proxy, whether the proxy may.
    public var allowsPrivateAddresses = false
    /// Whether issuers may be on this machine, by http too; behind a proxy, whether the proxy may.
    public var allowsLoopback = false
    /// For servers that ask for one.
    public var clientCertificate: ClientCertificateFiles?
    public var proxy: ProxySettings?
    /// A file with a bearer token for the address of a provider's keys, or of its metadata. Of a provider alone.
    public var bearerTokenFile: String?
    /// For one request.
    public var timeout = Duration.seconds(3)

    /// A client's certificate and its private key, in PEM.
    public struct ClientCertificateFiles: Hashable, Sendable {
        /// The client's own certificate, then the chain to a root.
        public var certificate: String
        /// Unencrypted.
        public var privateKey: String
    }

    /// A proxy that opens tunnels, and who the service is for it.
    public struct ProxySettings: Hashable, Sendable {
        /// A name or an address.
        public var host: String
        public var port: UInt16
        public var user: String?
        /// The file with the password of ``user``.
        public var passwordFile: String?
    }

    /// The files that it names.
    var files: [String] {
        [authorities, clientCertificate?.certificate, clientCertificate?.privateKey, proxy?.passwordFile, bearerTokenFile].compactMap(
            \.self)
    }

    /// The files that only the service has to read. A token's is not among them: Kubernetes lets every process of a container read it.
    var secretFiles: [String] { [clientCertificate?.privateKey, proxy?.passwordFile].compactMap(\.self) }
}
#endif
