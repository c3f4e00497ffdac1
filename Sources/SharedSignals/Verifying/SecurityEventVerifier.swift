public import JWTCore

/// Verifies security event tokens (RFC 8417). Make one for each stream, and use it from any thread.
///
/// ```swift
/// let policy = ClaimsPolicy.securityEvents(issuer: "https://idp.example", audience: "https://gateway.example")
/// let verifier = SecurityEventVerifier(keys: keys, policy: policy)
/// let token = try verifier.verify(body)
/// ```
///
/// It has no memory: see ``SecurityEventMemory`` for a `jti` that comes again.
public struct SecurityEventVerifier<Keys: KeySource>: Sendable {
    /// What is required of a token.
    public let policy: ClaimsPolicy
    private let verifier: TokenVerifier<Keys>
    private let limits: SecurityEventLimits
    private let clock: any UnixClock

    /// - Parameters:
    ///   - keys: the transmitter's keys.
    ///   - policy: for its issuers, audiences, algorithms, leeway and age. What RFC 8417 requires is checked under every policy.
    ///   - limits: of a token and its events.
    ///   - clock: for tokens that come without a time.
    public init(
        keys: Keys, policy: ClaimsPolicy, limits: SecurityEventLimits = .standard, clock: any UnixClock = SystemClock()
    ) {
        var policy = policy
        policy.requireSecurityEvent()
        self.policy = policy
        verifier = TokenVerifier(keys: keys, policy: policy, limits: limits.token, clock: clock)
        self.limits = limits
        self.clock = clock
    }

    /// Verifies a token, and reads its events.
    ///
    /// - Parameters:
    ///   - token: a compact JWS, without white space around it.
    ///   - now: the time to judge for; nil reads the clock.
    /// - Throws: why the token is refused.
    public func verify(_ token: Span<UInt8>, now: NumericDate? = nil) throws(SecurityEventError) -> VerifiedSecurityEventToken {
        let now = now ?? clock.now
        let result: Result<VerifiedSecurityEventToken, SecurityEventError>
        do throws(VerificationError) {
            result = try verifier.withVerified(token, now: now) { claims in content(of: claims) }
        } catch {
            throw SecurityEventError(refusing: error)
        }
        return try result.get()
    }

    private func content(of claims: borrowing Claims) -> Result<VerifiedSecurityEventToken, SecurityEventError> {
        do throws(SecurityEventError) {
            return .success(try VerifiedSecurityEventToken(claims, limits: limits))
        } catch {
            return .failure(error)
        }
    }

    /// Verifies a token in a `String`.
    public func verify(_ token: String, now: NumericDate? = nil) throws(SecurityEventError) -> VerifiedSecurityEventToken {
        try verify(token.utf8.span, now: now)
    }

    /// Verifies a token in an array of bytes.
    public func verify(_ token: [UInt8], now: NumericDate? = nil) throws(SecurityEventError) -> VerifiedSecurityEventToken {
        try verify(token.span, now: now)
    }

    /// Until when a token issued at `date` may be accepted: as long its `jti` has to be remembered. Nil: for ever.
    public func acceptedUntil(issuedAt date: NumericDate) -> NumericDate? {
        policy.maximumAge.map { date.advanced(by: $0).advanced(by: policy.leeway) }
    }
}
