public import JWKSCache
public import JWTDecryption

/// A trusted issuer with the places of its tokens and the fields that the upstream gets from them.
public struct Provider: Sendable {
    /// The name in requirements, counters and logs.
    public var name: String
    public var issuer: IssuerConfiguration
    /// Further issuers with keys of their own, whose tokens the policy of ``issuer`` judges too: tenants of one identity provider.
    public var tenants: [IssuerConfiguration] = []
    /// The places of a token. A request with tokens in more than one of them is refused (RFC 6750 section 2).
    public var sources: [TokenSource] = [.bearer]
    public var claimHeaders: [ClaimHeader] = []
    /// A field for the upstream with the payload in base64url; nil: none.
    public var payloadHeader: String?
    /// Whether that field has the padding of base64, which some servers need.
    public var padsPayload = false
    /// The names under which a host keeps the payload and the header of an accepted token as metadata; nil: it does not.
    public var payloadMetadata: String?
    public var headerMetadata: String?
    /// The status lists of its tokens; nil: the claim `status` is not looked at.
    public var statusLists: StatusListTerms?
    /// Whether each of its tokens passes once, in whatever place it comes. ``DecisionCore`` needs a memory of uses for it, and a token
    /// `jti` and `exp`.
    public var passesOnce = false
    /// How its opaque tokens are introspected; nil: they are refused.
    public var introspection: IntrospectionTerms?
    /// The keys that open encrypted tokens; empty: such a token is refused as `encrypted_token`.
    public var decryptionKeys: [DecryptionKey] = []
    /// Whether a provider with ``decryptionKeys`` accepts tokens that are only signed (against OIDC Core section 3.1.3.7).
    public var acceptsUnencrypted = false
    /// What its tokens need of DPoP proofs; nil: the field `DPoP` is not looked at. With terms the provider needs the
    /// source `.authorization(scheme: "DPoP")`, and ``DecisionCore`` a memory of uses.
    public var proofs: ProofTerms?
    /// Whether its tokens are bound to the certificate of their client; nil: no certificate is looked at. With it, or with ``proofs``, a
    /// token whose `cnf` names a method that is not checked is refused.
    public var certificateBinding: CertificateBinding?
    /// Whether the upstream gets the token too.
    public var forwardsToken = true

    public init(_ name: String, issuer: IssuerConfiguration) {
        self.name = name
        self.issuer = issuer
    }

    /// Whether something of it passes once: its tokens, or their proofs.
    package var countsUses: Bool { passesOnce || proofs != nil }

    /// All its issuers.
    package var issuers: [IssuerConfiguration] { [issuer] + tenants }
}
