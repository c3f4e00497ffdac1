/// What a token must say to be accepted. What is configured is required: a token without the claim is refused as one with the wrong
/// value is.
///
/// Make one per issuer and audience, once. For the values of a single login (nonce, the access token beside the id_token) see
/// ``TokenVerifier/expecting(nonce:accessToken:code:)``.
public struct ClaimsPolicy: Sendable {
    /// `iss` must be one of these, byte for byte. Empty: not looked at.
    public var issuers: [String] {
        get { issuerNames.names }
        set { issuerNames = NameList(newValue) }
    }
    private(set) var issuerNames = NameList()
    /// `aud` must contain one of these. Empty: not looked at.
    public var audiences: [String] {
        get { audienceNames.names }
        set { audienceNames = NameList(newValue) }
    }
    private(set) var audienceNames = NameList()
    /// What `aud` may contain besides, where ``requiresTrustedAudiences`` is on.
    public var trustedAudiences: [String] {
        get { trustedAudienceNames.names }
        set { trustedAudienceNames = NameList(newValue) }
    }
    private(set) var trustedAudienceNames = NameList()
    /// Refuses a token that is also for somebody not named here (OIDC Core section 3.1.3.7 step 3), and one of several audiences
    /// that does not say by `azp` whom it was issued to (steps 4 and 5). Needs ``audiences``.
    public var requiresTrustedAudiences = false
    /// What `azp` must be where it stands; nil: the first of ``audiences``. Looked at with ``requiresTrustedAudiences``.
    public var authorizedParty: String?
    /// What `alg` may be. HMAC is never allowed unless named, and then best alone.
    public var algorithms: AlgorithmSet = .asymmetric
    /// What `typ` may be, compared without case and without `application/`; an empty string allows its absence. Nil: anything.
    public var types: [String]? {
        get { mediaTypes?.types }
        set { mediaTypes = newValue.map(MediaTypes.init) }
    }
    private(set) var mediaTypes: MediaTypes?
    /// Whether a token without `exp` is refused.
    public var requiresExpiration = true
    /// Claims that must be there, whatever they say.
    public var requiredClaims: [String] = [] {
        didSet { required = RequiredClaims(requiredClaims) }
    }
    private(set) var required = RequiredClaims([])
    /// Seconds by which clocks may differ, for every comparison of dates. 60: what most peers allow.
    public var leeway: Int64 = 60
    /// Seconds since `iat` after which a token is too old; nil: never.
    public var maximumAge: Int64?
    /// Seconds since `auth_time` after which the user must have authenticated again (`max_age` of OIDC Core section 3.1.2.1); nil: never.
    /// Where it is set, an `auth_time` that lies in the future is refused like such an `iat`.
    public var maximumAuthenticationAge: Int64?
    /// `acr` must be one of these. Empty: not looked at.
    public var contextClasses: [String] = []
    /// `amr` must contain all of these.
    public var authenticationMethods: [String] = []
    /// The nonce of this login.
    public var nonce: String?
    /// The access token that came with the id_token: `at_hash` must be its hash.
    public var accessToken: String?
    /// The code that came with the id_token: `c_hash` must be its hash.
    public var code: String?
    /// Tokens refused by their `jti`, byte for byte.
    public var revokedTokenIDs: [String] {
        get { revoked.names }
        set { revoked = NameIndex(newValue) }
    }
    var revoked = NameIndex([])
    /// Further checks, run last and in order; each returns its verdict.
    public var checks: [@Sendable (borrowing Claims, NumericDate) -> Verdict] = []

    /// What a check of your own says.
    public enum Verdict: Sendable {
        case accepted
        case refused(VerificationError.Code)
    }

    /// A policy that looks at nothing but dates, types of registered claims and the presence of `exp`.
    public init() {}

    /// A policy for tokens of one issuer, for one audience.
    public init(issuer: String, audience: String) {
        issuers = [issuer]
        audiences = [audience]
    }

    /// An id_token for `clientID` (OIDC Core section 3.1.3.7): `iss`, `sub`, `aud`, `exp` and `iat` required, no audience but
    /// trusted ones, `azp` right, `typ` absent or `JWT` (an access token is not an id_token, RFC 8725 section 3.11).
    public static func idToken(issuer: String, clientID: String) -> Self {
        var policy = Self(issuer: issuer, audience: clientID)
        policy.requiresTrustedAudiences = true
        policy.types = ["", "JWT"]
        policy.requiredClaims = ["iss", "sub", "aud", "exp", "iat"]
        return policy
    }

    /// A JWT access token for the resource server `audience` (RFC 9068 section 4): `typ` at+jwt; `iss`, `exp`, `aud`, `sub`,
    /// `client_id`, `iat` and `jti` required.
    public static func accessToken(issuer: String, audience: String) -> Self {
        var policy = Self(issuer: issuer, audience: audience)
        policy.types = ["at+jwt"]
        policy.requiredClaims = ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"]
        return policy
    }
}

/// The names of ``ClaimsPolicy/requiredClaims``, the registered ones looked up once.
struct RequiredClaims: Sendable {
    private var registered: [RegisteredClaim] = []
    /// The same, a bit for each by its number.
    private var bits: UInt32 = 0
    private var others: [String] = []

    init(_ names: [String]) {
        for name in names {
            if let claim = RegisteredClaim(JSONString(name.utf8.span, isEscaped: false)) {
                registered.append(claim)
                bits |= 1 << UInt32(claim.rawValue)
            } else {
                others.append(name)
            }
        }
    }

    /// The first that `claims` lacks: an error without a claim for a name that is not registered.
    func check(_ claims: borrowing Claims) throws(VerificationError) {
        if !claims.places.has(bits) {
            for claim in registered where claims.places[claim] == 0 { throw VerificationError(.missingClaim, claim: claim) }
        }
        for name in others where claims.value.valueIndex(named: name.utf8.span) == nil { throw VerificationError(.missingClaim) }
    }
}
