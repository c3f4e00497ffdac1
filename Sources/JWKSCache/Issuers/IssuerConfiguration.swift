public import JWTCore

/// One issuer that is trusted: where its keys are and what its tokens have to say.
public struct IssuerConfiguration: Sendable {
    /// `iss`, byte for byte.
    public var issuer: String
    /// Where its keys come from. By default what its metadata names.
    public var source: KeySetSource
    /// Where else to look when that fails.
    public var failover: [KeySetSource] = []
    /// What its tokens have to say. Its `issuers` are set to ``issuer`` alone, whatever they were.
    public var policy: ClaimsPolicy
    public var refresh: RefreshPolicy = .availabilityFirst
    /// Where the last good set outlives the process.
    public var storage: KeySetStorage?
    /// Whether its keys are fetched at the start and counted for readiness. Others are fetched when a token first wants them.
    public var isRequired = false

    public init(_ issuer: String, source: KeySetSource? = nil, policy: ClaimsPolicy) {
        self.issuer = issuer
        self.source = source ?? .issuer(issuer)
        self.policy = policy
    }
}
