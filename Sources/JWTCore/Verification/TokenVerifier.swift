/// Verifies tokens: the key source, the policy and the limits, put together once and used from any thread.
///
/// ```swift
/// let keys = try KeySet(jwks: document)
/// let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
/// let token = try verifier.verify(string)
/// ```
public struct TokenVerifier<Keys: KeySource>: Sendable {
    public let keys: Keys
    public private(set) var policy: ClaimsPolicy
    public let limits: TokenLimits
    let clock: any UnixClock
    /// Where verdicts are kept, if they are. Owned here, used through the context.
    var cache: VerifiedTokenCache?
    var cacheContext: CacheContext?

    public init(keys: Keys, policy: ClaimsPolicy, limits: TokenLimits = .standard, clock: any UnixClock = SystemClock()) {
        self.keys = keys
        self.policy = policy
        self.limits = limits
        self.clock = clock
    }

    /// The same verifier for one login: what that login alone knows is required of its token. It asks no cache.
    ///
    /// - Parameters:
    ///   - nonce: what the authentication request carried.
    ///   - accessToken: the access token that came beside the id_token; `at_hash` must match.
    ///   - code: the code that came beside it; `c_hash` must match.
    public func expecting(nonce: String? = nil, accessToken: String? = nil, code: String? = nil) -> Self {
        var verifier = self
        verifier.policy.nonce = nonce ?? policy.nonce
        verifier.policy.accessToken = accessToken ?? policy.accessToken
        verifier.policy.code = code ?? policy.code
        verifier.cache = nil
        verifier.cacheContext = nil
        return verifier
    }

    /// Verifies `token` and lends its claims to `body`. Allocates nothing of its own, whether it accepts or refuses; only computing
    /// `at_hash` or `c_hash`, and reading a media type that is written with escapes, do.
    ///
    /// - Parameters:
    ///   - token: a compact JWS, without white space around it.
    ///   - now: the moment to judge for; nil asks the clock.
    ///   - body: is lent the claims; they cannot leave it.
    /// - Throws: why the token is refused.
    @inlinable
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        // What depends on the caller's type is compiled with the caller, so that the rest is compiled once for key sets.
        var result: Result?
        try lendClaims(of: token, now: now) { result = body($0) }
        // Nothing but an error keeps the claims from being lent.
        return result.take()!
    }

    @usableFromInline
    @specialized(where Keys == KeySet)
    func lendClaims(of token: Span<UInt8>, now: NumericDate?, _ body: (borrowing Claims) -> Void) throws(VerificationError) {
        try withClaims(token, now, body)
    }

    @inline(__always)
    private func withClaims<Result>(
        _ token: Span<UInt8>, _ now: NumericDate?, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let moment = if let now { now } else { clock.now }
        guard let cacheContext else { return try Verification(limits: limits).withClaims(token, policy, keys: keys, now: moment, body) }
        return try CachedVerification(cache: cacheContext, limits: limits).withClaims(token, policy, keys: keys, now: moment, body)
    }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why the token is refused.
    @specialized(where Keys == KeySet)
    public func verify(_ token: Span<UInt8>, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try withClaims(token, now) { VerifiedToken($0) }
    }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: String, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.utf8.span, now: now)
    }

    /// Verifies a JWS whose payload need not be claims, and lends the payload to `body`. Of the policy only algorithms and types apply.
    ///
    /// - Throws: why it is refused.
    public func withVerifiedPayload<Result>(
        _ token: Span<UInt8>, _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        try Verification(limits: limits).withPayload(token, policy, keys: keys, body)
    }

    /// Verifies a JWS that carries no payload of its own (`header..signature`, RFC 7515 appendix F) over `payload`.
    ///
    /// - Throws: why it is refused; `malformed_token` for one that carries a payload.
    public func verifyDetached(_ token: Span<UInt8>, payload: Span<UInt8>) throws(VerificationError) {
        try Verification(limits: limits).verifyDetached(
            token, payload, policy, keys: keys)
    }
}
