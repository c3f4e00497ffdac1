import JWTCore

extension Workload {
    /// Tokens that come again. Nil where one of them is not in the cache before the clock starts.
    init?(cached tokens: BenchTokens) {
        guard let verifier = tokens.cachingVerifier() else { return nil }
        self.init(ours: TokenShare(copying: tokens.texts, verifier).verifies)
    }
}

extension BenchTokens {
    /// A verifier that finds every one of the tokens in its cache; nil where one stays out.
    func cachingVerifier() -> TokenVerifier<KeySet>? {
        let cache = VerifiedTokenCache(budget: 64 << 20)
        let verifier = verifier.caching(in: cache), share = TokenShare(copying: texts, verifier)
        // A token is kept when it is seen for the second time, unless others overwrote what was remembered of the first.
        for ordinal in 0..<(10 * texts.count) where !share.verifies(ordinal) { return nil }
        return cache.statistics.entries == texts.count ? verifier : nil
    }
}
