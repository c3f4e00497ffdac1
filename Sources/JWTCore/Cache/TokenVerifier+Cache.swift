internal import Synchronization

extension TokenVerifier {
    /// The same verifier, asking `cache` before it verifies a signature, and keeping there what it has verified.
    ///
    /// Several verifiers may share a cache: each that this makes, and copies of it, have verdicts of their own. So make it once, beside the
    /// cache. Of its methods ``withVerified(_:now:_:)`` and ``verify(_:now:)`` ask; batches, payloads that are no claims, and what
    /// ``expecting(nonce:accessToken:code:)`` makes for one login do not.
    public func caching(in cache: VerifiedTokenCache) -> Self {
        var verifier = self
        verifier.cache = cache
        verifier.cacheContext = CacheContext(cache)
        return verifier
    }
}

/// A cache, and what one verifier is called in it: another number for each policy and limits, because verdicts hold under those alone.
///
/// It does not own the cache, which its verifier does: a reference that is counted would be written to by every core at every hit.
@safe
struct CacheContext: BitwiseCopyable, @unchecked Sendable {
    // SAFETY: whoever uses this has the verifier, which has the cache.
    private let cache: Unmanaged<VerifiedTokenCache>
    private let number: UInt64

    init(_ cache: VerifiedTokenCache) {
        unsafe self.cache = .passUnretained(cache)
        number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    }

    private static let lastNumber = Atomic<UInt64>(0)

    func question(_ token: Span<UInt8>, keySetSerial: UInt64, now: NumericDate) -> VerifiedTokenCache.Question {
        unsafe cache.lend { $0.question(token, context: number, keySetSerial: keySetSerial, now: now) }
    }

    func claims(of token: Span<UInt8>, _ question: VerifiedTokenCache.Question) -> CachedClaims? {
        unsafe cache.lend { $0.claims(of: token, question) }
    }

    func keep(_ claims: borrowing Claims, of token: Span<UInt8>, _ question: VerifiedTokenCache.Question) {
        unsafe cache.lend { $0.keep(claims, of: token, question) }
    }
}

/// A verification that asks a cache first. In two functions for the reason that ``Verification`` has.
struct CachedVerification {
    let cache: CacheContext
    let limits: TokenLimits

    func withClaims<Result>(
        _ token: Span<UInt8>, _ policy: borrowing ClaimsPolicy, keys: some KeySource, now: NumericDate,
        _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        guard token.count <= limits.tokenBytes, let serial = Self.serial(of: keys) else {
            return try Verification(limits: limits).withClaims(token, policy, keys: keys, now: now, body)
        }
        let question = cache.question(token, keySetSerial: serial, now: now)
        if let kept = cache.claims(of: token, question) { return try withClaims(kept, policy, now: now, body) }
        return try Verification(limits: limits).withClaims(token, policy, keys: keys, now: now) { claims in
            cache.keep(claims, of: token, question)
            return body(claims)
        }
    }

    /// Of a token whose signature is known to be good: what is left is the policy, all of it.
    private func withClaims<Result>(
        _ kept: borrowing CachedClaims, _ policy: borrowing ClaimsPolicy, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let claims = kept.claims
        try policy.evaluate(claims.header)
        try policy.evaluate(claims, now: now)
        return body(claims)
    }

    /// Nil where there are no keys; what the token is told then is not for a cache to say.
    private static func serial(of keys: some KeySource) -> UInt64? {
        do throws(VerificationError) { return try keys.withKeys { $0.serial } } catch { return nil }
    }
}
