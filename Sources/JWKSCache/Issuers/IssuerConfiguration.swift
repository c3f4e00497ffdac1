public import JWTCore

/// A trusted issuer: the source of its keys and the policy for its tokens.
public struct IssuerConfiguration: Sendable {
    /// `iss`, byte for byte.
    public var issuer: String
    /// The source of its keys. By default its metadata names them.
    public var source: KeySetSource
    /// Further sources, used if that fails.
    public var failover: [KeySetSource] = []
    /// The policy for its tokens. Its `issuers` are always replaced by ``issuer``.
    public var policy: ClaimsPolicy
    public var refresh: RefreshPolicy = .availabilityFirst
    /// Fetches its documents in place of the transport of all issuers. A host of the C interface has none: it fetches itself.
    public var transport: IssuerTransport?
    /// Keeps the last good set for the next process.
    public var storage: KeySetStorage?
    /// Whether its keys are fetched at the start and are part of readiness. Others are fetched when a token first needs them.
    public var isRequired = false

    public init(_ issuer: String, source: KeySetSource? = nil, policy: ClaimsPolicy) {
        self.issuer = issuer
        self.source = source ?? .issuer(issuer)
        self.policy = policy
    }
}
