/// Verifies tokens with a key source, a policy and limits. Make one once and use it from any thread.
///
/// ```swift
/// let keys = try KeySet(jwks: document)
/// let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
/// let token = try verifier.verify(string)
/// ```
public struct TokenVerifier<Keys: KeySource>: Sendable {
    @usableFromInline var rules: Rules
    public let limits: TokenLimits
    let clock: any UnixClock
    /// The cache of verdicts, if any.
    var caching: Caching?
    // The last one: code for any type of keys finds the others without its size.
    public let keys: Keys

    public init(keys: Keys, policy: ClaimsPolicy, limits: TokenLimits = .standard, clock: any UnixClock = SystemClock()) {
        rules = Rules(policy: policy, keys: keys)
        self.limits = limits
        self.clock = clock
        self.keys = keys
    }

    @inlinable public var policy: ClaimsPolicy { rules.policy }

    /// A verifier for one login: the token's `nonce` must be the one sent in the authentication request. It uses no cache.
    ///
    /// - Parameter nonce: the nonce of this login. It is not optional, and no token fits an empty one, so that a lost session cannot skip
    ///   the check.
    public func expecting(nonce: String) -> Self { forOneLogin { $0.nonce = nonce } }

    /// A verifier for one login: the id_token's `at_hash` must be the hash of the access token received with it. It uses no cache.
    public func expecting(accessToken: String) -> Self { forOneLogin { $0.accessToken = accessToken } }

    /// A verifier for one login: the id_token's `c_hash` must be the hash of the code received with it. It uses no cache.
    public func expecting(code: String) -> Self { forOneLogin { $0.code = code } }

    private func forOneLogin(_ require: (inout ClaimsPolicy) -> Void) -> Self {
        var verifier = self
        require(&verifier.rules.policy)
        verifier.caching = nil
        return verifier
    }

    /// Verifies `token` and lends its claims to `body`. It allocates only for `at_hash` and `c_hash`, and for a media type written with
    /// escapes.
    ///
    /// - Parameters:
    ///   - token: a compact JWS, without white space around it.
    ///   - now: the time to judge for; nil reads the clock.
    ///   - body: receives the claims; they cannot leave it.
    /// - Throws: why the token is refused.
    @inlinable
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        // Code that depends on the caller's type is compiled with the caller; the rest is compiled once for key sets.
        var result: Result?
        try lendClaims(of: token, now: now) { result = body($0) }
        // Without an error, the claims have been lent.
        return result.take()!
    }

    @usableFromInline
    func lendClaims(of token: Span<UInt8>, now: NumericDate?, _ body: (borrowing Claims) -> Void) throws(VerificationError) {
        try withClaims(token, now, body)
    }

    @inline(__always)
    private func withClaims<Result>(
        _ token: Span<UInt8>, _ now: NumericDate?, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let verification = Verification(limits: limits, now: now ?? clock.now)
        guard let cache = cacheContext else { return try verification.verify(token, by: rules, body) }
        return try CachedVerification(cache: cache, verification: verification).verify(token, by: rules, body)
    }

    /// Verifies `token` and returns a copy of its content.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: Span<UInt8>, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try withClaims(token, now) { VerifiedToken($0) }
    }

    /// Verifies a JWS with any payload, not only claims, and lends the payload to `body`. Of the policy only algorithms and types apply.
    ///
    /// - Throws: why it is refused.
    public func withVerifiedPayload<Result>(
        _ token: Span<UInt8>, _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        try PayloadVerification(limits: limits).verify(token, by: rules, body)
    }

    /// Verifies a JWS with a detached payload (`header..signature`, RFC 7515 appendix F) over `payload`.
    ///
    /// - Throws: why it is refused; `malformed_token` if it has a payload of its own.
    public func verifyDetached(_ token: Span<UInt8>, payload: Span<UInt8>) throws(VerificationError) {
        try PayloadVerification(limits: limits).verifyDetached(token, payload, by: rules)
    }
}
