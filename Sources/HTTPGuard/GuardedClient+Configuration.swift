extension GuardedClient {
    /// The settings for every request. The defaults are for URLs of the public internet.
    public struct Configuration: Hashable, Sendable {
        public var limits: RequestLimits
        public var addresses: AddressPolicy
        /// Allows http if the host is `localhost` or a loopback address and all its addresses are loopback. ``addresses`` need not allow
        /// loopback for that. No proxy is used.
        public var allowsLoopbackHTTP: Bool
        public var trustRoots: TrustRoots
        public var clientCertificate: ClientCertificate?
        /// If there are any, the server's key must be one of them. A server without TLS has no key: http to loopback is refused then.
        public var pins: Set<PublicKeyPin>
        public var proxy: Proxy?
        /// The `User-Agent` of requests without one.
        public var userAgent: String
        public var originFields: [OriginFields]
        public var bearerToken: BearerTokenFile?

        public init(
            limits: RequestLimits = RequestLimits(), addresses: AddressPolicy = AddressPolicy(), allowsLoopbackHTTP: Bool = false,
            trustRoots: TrustRoots = .system, clientCertificate: ClientCertificate? = nil, pins: Set<PublicKeyPin> = [],
            proxy: Proxy? = nil, userAgent: String = "assay", originFields: [OriginFields] = [],
            bearerToken: BearerTokenFile? = nil
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
            self.bearerToken = bearerToken
        }

        /// Whether the host of a URL may be asked, as far as the URL says: the addresses of a name are known only when it is resolved.
        package func permits(_ url: String) -> Bool {
            guard let target = try? TargetURL(url), (try? Route.host(of: target, self)) != nil else { return false }
            let isLoopback = target.origin.host == "localhost", literal = isLoopback ? IPAddress(v4: [127, 0, 0, 1]) : target.literal
            return literal.map { (try? Route(to: target, self, addresses: [$0])) != nil } ?? true
        }
    }
}
