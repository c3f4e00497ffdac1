/// The requirements for a token. Every configured claim is required: a token without it is refused like one with a wrong value.
///
/// Make one per issuer and audience, once. For the values of a single login (its nonce, its access token) see
/// ``TokenVerifier/expecting(nonce:)``.
public struct ClaimsPolicy: Sendable {
    /// `iss` must be one of these, byte for byte. Empty: not checked.
    public var issuers: [String] {
        get { issuerNames.names }
        set { issuerNames = NameList(newValue) }
    }
    private(set) var issuerNames = NameList()
    /// The required value of `sub`, byte for byte; nil: not checked. No token fits an empty one.
    public var subject: String?
    /// `aud` must contain one of these. Empty: not checked.
    public var audiences: [String] {
        get { audienceNames.names }
        set { audienceNames = NameList(newValue) }
    }
    private(set) var audienceNames = NameList()
    /// Further audiences that `aud` may contain if ``requiresTrustedAudiences`` is on.
    public var trustedAudiences: [String] {
        get { trustedAudienceNames.names }
        set { trustedAudienceNames = NameList(newValue) }
    }
    private(set) var trustedAudienceNames = NameList()
    /// Refuses a token with an audience that is not listed here (OIDC Core section 3.1.3.7 step 3), and a token with several audiences and
    /// no `azp` (steps 4 and 5). Needs ``audiences``: without them no token fits.
    public var requiresTrustedAudiences = false
    /// The required value of `azp` if it is present. Nil: the first of ``audiences`` with ``requiresTrustedAudiences``, and otherwise not
    /// checked.
    public var authorizedParty: String?
    /// The allowed values of `alg`. HMAC is never allowed unless listed, and then should be the only one.
    public var algorithms: AlgorithmSet = .asymmetric
    /// The allowed values of `typ`, compared without case and without `application/`; an empty string allows its absence. Nil: anything.
    public var types: [String]? {
        get { mediaTypes?.types }
        set { mediaTypes = newValue.map(MediaTypes.init) }
    }
    private(set) var mediaTypes: MediaTypes?
    /// Whether a token without `exp` is refused.
    public var requiresExpiration = true
    /// Claims that must be present, with any value.
    public var requiredClaims: [String] = [] {
        didSet { required = RequiredClaims(requiredClaims) }
    }
    private(set) var required = RequiredClaims([])
    /// How far clocks may differ, for every comparison of dates. The default, one minute, is what most peers allow. Here and below whole
    /// seconds count: a fraction is cut off.
    public var leeway: Duration {
        get { .seconds(leewaySeconds) }
        set { leewaySeconds = newValue.components.seconds }
    }
    private(set) var leewaySeconds: Int64 = 60
    /// The time since `iat` after which a token is too old; nil: never.
    public var maximumAge: Duration? {
        get { maximumAgeSeconds.map { .seconds($0) } }
        set { maximumAgeSeconds = newValue?.components.seconds }
    }
    private(set) var maximumAgeSeconds: Int64?
    /// The time since `auth_time` after which the user must authenticate again (`max_age` of OIDC Core section 3.1.2.1); nil: never. If
    /// set, an `auth_time` in the future is refused like an `iat` in the future.
    public var maximumAuthenticationAge: Duration? {
        get { maximumAuthenticationAgeSeconds.map { .seconds($0) } }
        set { maximumAuthenticationAgeSeconds = newValue?.components.seconds }
    }
    private(set) var maximumAuthenticationAgeSeconds: Int64?
    /// `acr` must be one of these. Empty: not checked.
    public var contextClasses: [String] = []
    /// `amr` must contain all of these.
    public var authenticationMethods: [String] = []
    /// The token must grant all of these scopes, as ``Claims/hasScope(_:)`` reads them; an empty name is never granted. Empty: not checked.
    public var scopes: [String] {
        get { scopeNames.names }
        set { scopeNames = NameList(newValue) }
    }
    private(set) var scopeNames = NameList()
    /// The nonce of this login. No token fits an empty one.
    public var nonce: String?
    /// The access token received with the id_token: `at_hash` must be its hash.
    public var accessToken: String?
    /// The code received with the id_token: `c_hash` must be its hash.
    public var code: String?
    /// Refuses tokens with these values of `jti`, byte for byte. A token without `jti` passes: require it in ``requiredClaims``.
    public var revokedTokenIDs: [String] {
        get { revoked.names }
        set { revoked = NameIndex(newValue) }
    }
    var revoked = NameIndex([])
    /// Further checks, run last and in order; each returns its verdict.
    public var checks: [@Sendable (borrowing Claims, NumericDate) -> Verdict] = []

    /// The verdict of a check of your own.
    public enum Verdict: Sendable {
        case accepted
        /// The code, and a sentence for ``VerificationError/reason``. The sentence is a literal, so that it cannot quote a token.
        case refused(VerificationError.Code, because: StaticString? = nil)
    }

    /// A policy that checks only dates, types of registered claims and the presence of `exp`.
    /// A policy that checks dates and algorithms alone. It accepts every issuer and audience whose keys verify the token: RFC 7519 section
    /// 4.1.3 wants a token with `aud` refused by everyone whom it does not name, so set ``audiences``, or name the audience with
    /// ``init(issuer:audience:)``.
    public init() {}

    /// A policy for tokens of one issuer, for one audience.
    public init(issuer: String, audience: String) {
        issuers = [issuer]
        audiences = [audience]
    }

    /// A policy for an id_token for `clientID` (OIDC Core section 3.1.3.7): `iss`, `sub`, `aud`, `exp` and `iat` required, only trusted
    /// audiences, a correct `azp`, `typ` absent or `JWT` (an access token is not an id_token, RFC 8725 section 3.11).
    public static func idToken(issuer: String, clientID: String) -> Self {
        var policy = Self(issuer: issuer, audience: clientID)
        policy.requiresTrustedAudiences = true
        policy.types = ["", "JWT"]
        policy.requiredClaims = ["iss", "sub", "aud", "exp", "iat"]
        return policy
    }

    /// A policy for a JWT access token for the resource server `audience` (RFC 9068 section 4): `typ` at+jwt; `iss`, `exp`, `aud`, `sub`,
    /// `client_id`, `iat` and `jti` required.
    ///
    /// - Parameters:
    ///   - issuer: `iss`, byte for byte.
    ///   - audience: `aud` must contain it.
    ///   - scopes: the token must grant all of these.
    public static func accessToken(issuer: String, audience: String, scopes: [String] = []) -> Self {
        var policy = Self(issuer: issuer, audience: audience)
        policy.scopes = scopes
        policy.types = ["at+jwt"]
        policy.requiredClaims = ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"]
        return policy
    }
}

/// The names of ``ClaimsPolicy/requiredClaims``. Registered ones are looked up only once.
struct RequiredClaims: Sendable {
    private var registered: [RegisteredClaim] = []
    /// The registered ones, one bit each, by number.
    private var bits: UInt32 = 0
    /// The names that no specification registers, in the policy's order.
    private(set) var others: [String] = []

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

    /// Throws for the first name that `claims` lacks; the error names a claim only if it is registered.
    func check(_ claims: borrowing Claims) throws(VerificationError) {
        if !claims.places.has(bits) {
            for claim in registered where claims.places[claim] == 0 { throw VerificationError(.missingClaim, claim: claim) }
        }
        guard !others.isEmpty else { return }
        for (place, name) in others.enumerated() where claims.value.valueIndex(named: name.utf8.span) == nil {
            throw VerificationError(missingName: place)
        }
    }
}
