import JWTCore

extension Workload {
    /// Tokens that are in the cache. Nil if one of them is missing before the measurement starts.
    init?(cached tokens: BenchTokens) {
        guard let verifier = tokens.cachingVerifier() else { return nil }
        self.init(ours: TokenShare(copying: tokens.texts, verifier).verifies)
    }
}

extension BenchTokens {
    /// A verifier with all of the tokens in its cache; nil if one is missing.
    func cachingVerifier() -> TokenVerifier<KeySet>? {
        let cache = VerifiedTokenCache(budget: 64 << 20)
        let verifier = verifier.caching(in: cache), share = TokenShare(copying: texts, verifier)
        // The cache keeps a token at its second verification, unless other tokens overwrote the note of the first.
        for ordinal in 0..<(10 * texts.count) where !share.verifies(ordinal) { return nil }
        return cache.statistics.entries == texts.count ? verifier : nil
    }
}
