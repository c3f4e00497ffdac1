internal import Synchronization

extension TokenVerifier {
    /// Returns a verifier that looks in `cache` before it verifies a signature, and stores verified tokens there.
    ///
    /// Several verifiers may share a cache; each verifier returned here, with its copies, has its own verdicts. So make it once, together
    /// with the cache. Only `withVerified(_:now:_:)` and `verify(_:now:)` use the cache; batches, payloads that are not claims, and the
    /// verifiers that ``expecting(nonce:)`` makes for one login do not.
    public func caching(in cache: VerifiedTokenCache) -> Self {
        var verifier = self
        verifier.caching = Caching(cache)
        return verifier
    }

    /// The cache, borrowed as long as this verifier.
    @inline(__always)
    var cacheContext: CacheContext? {
        @_lifetime(borrow self) get {
            guard let reference = caching?.reference else { return nil }
            return unsafe _overrideLifetime(CacheContext(reference), borrowing: self)
        }
    }
}

/// A verifier's cache and the verifier's number in it. Each policy with its limits has its own number, because verdicts are only valid
/// under those.
struct Caching: Sendable {
    /// Retains the cache that ``reference`` points to.
    private let cache: VerifiedTokenCache
    let reference: Reference

    init(_ cache: VerifiedTokenCache) {
        self.cache = cache
        reference = Reference(cache)
    }

    /// The cache without reference counting, which every core would write to at every hit.
    @safe
    struct Reference: BitwiseCopyable, @unchecked Sendable {
        // SAFETY: read only by a CacheContext. The compiler does not let that outlive the verifier that it borrows, and so the `Caching`.
        fileprivate let cache: Unmanaged<VerifiedTokenCache>
        fileprivate let number: UInt64

        fileprivate init(_ cache: VerifiedTokenCache) {
            unsafe self.cache = .passUnretained(cache)
            number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        }

        private static let lastNumber = Atomic<UInt64>(0)
    }
}

/// A verifier's view of its cache. It cannot outlive that verifier, which owns the cache.
@safe
struct CacheContext: ~Escapable {
    private let reference: Caching.Reference

    @_lifetime(immortal)
    @unsafe
    fileprivate init(_ reference: Caching.Reference) { self.reference = reference }

    func question(_ token: Span<UInt8>, keySetSerial: UInt64, now: NumericDate) -> VerifiedTokenCache.Question {
        // SAFETY: here and below, the borrowed verifier retains the cache.
        unsafe reference.cache.lend { $0.question(token, context: reference.number, keySetSerial: keySetSerial, now: now) }
    }

    func claims(of token: Span<UInt8>, _ question: VerifiedTokenCache.Question) -> CachedClaims? {
        unsafe reference.cache.lend { $0.claims(of: token, question) }
    }

    func keep(_ claims: borrowing Claims, of token: Span<UInt8>, _ question: VerifiedTokenCache.Question) {
        unsafe reference.cache.lend { $0.keep(claims, of: token, question) }
    }
}

/// A verification that looks in a cache first. Split into two functions for the same reason as ``Verification``.
struct CachedVerification: ~Escapable {
    let cache: CacheContext
    let verification: Verification

    @_lifetime(copy cache)
    init(cache: CacheContext, verification: Verification) {
        self.cache = cache
        self.verification = verification
    }

    func verify<Result>(
        _ token: Span<UInt8>, by rules: Rules, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        guard token.count <= verification.limits.tokenBytes, let serial = Self.serial(of: rules) else {
            return try verification.verify(token, by: rules, body)
        }
        let question = cache.question(token, keySetSerial: serial, now: verification.now)
        if let kept = cache.claims(of: token, question) { return try judge(kept, by: rules, body) }
        return try verification.verify(token, by: rules) { claims in
            cache.keep(claims, of: token, question)
            return body(claims)
        }
    }

    /// Judges a token with a verified signature by the whole policy.
    private func judge<Result>(
        _ kept: borrowing CachedClaims, by rules: Rules, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let claims = kept.claims
        try rules.evaluate(claims.header)
        try rules.evaluate(claims, now: verification.now)
        return body(claims)
    }

    /// Nil if there are no keys; the cache does not choose the token's error then.
    private static func serial(of rules: Rules) -> UInt64? {
        var serial: UInt64?
        do throws(VerificationError) { try rules.withKeys { serial = $0.serial } } catch { return nil }
        return serial
    }
}
