/// How the opaque tokens of a provider are introspected (RFC 7662): a token that is no JWT is shown to the provider's authorization server,
/// which says whether it is active, and its claims.
public struct IntrospectionTerms: Hashable, Sendable {
    /// The URL of the introspection endpoint; nil: `introspection_endpoint` of the issuer's metadata (RFC 8414 section 2).
    public var endpoint: String?
    /// The name of this service at the authorization server.
    public var clientID: String
    /// A file with the client's secret, of at most 4 KiB, without the white space at its ends. It is read before each request.
    public var secretFile: String
    public var authentication = Authentication.basic
    /// Whether answers are signed (RFC 9701), by a key of the issuer and for ``clientID``. An unsigned answer is then refused.
    public var isSigned = false
    /// Whether JWTs are introspected too, in place of being verified here.
    public var takesJWT = false
    /// How long an answer about an active token counts at most, and never beyond its `exp`. 30 seconds unless set: as long a revocation may
    /// have no effect.
    public var activeLifetime = Duration.seconds(30)
    /// How long the answer counts that a token is not active. 10 seconds unless set.
    public var inactiveLifetime = Duration.seconds(10)
    /// How long the last answer about an active token counts after its time, while the endpoint does not answer; never beyond its `exp`.
    /// Zero unless set.
    public var staleIfError = Duration.zero
    /// Tokens whose answers are kept. 10,000 unless set.
    public var maximumTokens = 10_000
    /// Bytes of all answers. 16 MiB unless set.
    public var maximumBytes = 16 << 20
    /// Requests in any second for tokens that were not active before; for those that were, as many again. 50 unless set.
    public var requestsPerSecond = 50
    /// For one request. 2 seconds unless set.
    public var timeout = Duration.seconds(2)

    /// How this service authenticates (RFC 6749 section 2.3.1).
    public enum Authentication: String, Hashable, Sendable, CaseIterable {
        /// By `Authorization: Basic`.
        case basic = "client_secret_basic"
        /// By parameters of the request's body.
        case post = "client_secret_post"
    }

    public init(clientID: String, secretFile: String) { (self.clientID, self.secretFile) = (clientID, secretFile) }

    /// Whether `text` may be an endpoint: https or, on this machine, http, without user and fragment.
    public static func isEndpoint(_ text: String) -> Bool { StatusListTerms.isOrigin(text) && !text.utf8.contains(UInt8(ascii: "#")) }

    /// Whether `text` may be the name of a client: 1 to 256 printable ASCII characters (RFC 6749 appendix A.1).
    static func isClientID(_ text: String) -> Bool { (1...256).contains(text.utf8.count) && text.utf8.allSatisfy(\.isPrintable) }
}
