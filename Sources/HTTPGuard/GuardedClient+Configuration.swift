#if HTTP
extension GuardedClient {
    /// What is the same for every request. The defaults are for URLs of the public internet.
    public struct Configuration: Hashable, Sendable {
        public var limits: RequestLimits
        public var addresses: AddressPolicy
        /// Allows http where the host is `localhost` or a loopback address, and every address of it is one. Loopback need not be allowed
        /// in ``addresses`` for that. No proxy is used.
        public var allowsLoopbackHTTP: Bool
        public var trustRoots: TrustRoots
        public var clientCertificate: ClientCertificate?
        /// Where there are any, the server's key has to be one of them.
        public var pins: Set<PublicKeyPin>
        public var proxy: Proxy?
        /// For `User-Agent`, where a request has none.
        public var userAgent: String
        public var originFields: [OriginFields]

        public init(
            limits: RequestLimits = RequestLimits(), addresses: AddressPolicy = AddressPolicy(), allowsLoopbackHTTP: Bool = false,
            trustRoots: TrustRoots = .system, clientCertificate: ClientCertificate? = nil, pins: Set<PublicKeyPin> = [],
            proxy: Proxy? = nil, userAgent: String = "assay", originFields: [OriginFields] = []
        ) {
            self.limits = limits
            self.addresses = addresses
            self.allowsLoopbackHTTP = allowsLoopbackHTTP
            self.trustRoots = trustRoots
            self.clientCertificate = clientCertificate
            self.pins = pins
            self.proxy = proxy
            self.userAgent = userAgent
            self.originFields = originFields
        }
    }
}
#endif
