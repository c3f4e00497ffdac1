import JWTCore

/// What a whole decision about a request costs beside the verification or the cache hit in it.
extension Workload {
    /// Tokens that are in the cache.
    init?(decidingCached tokens: BenchTokens) {
        guard let verifier = tokens.cachingVerifier(), let requests = DecidedRequests(tokens, tokens.texts, remembers: true),
            requests.remember()
        else { return nil }
        self.init(ours: requests.admits, baseline: TokenShare(copying: tokens.texts, verifier).verifies)
    }

    /// Tokens that are verified.
    init?(deciding tokens: BenchTokens) {
        guard let requests = DecidedRequests(tokens, tokens.texts) else { return nil }
        self.init(ours: requests.admits, baseline: tokens.verifies)
    }

    /// Tokens with a changed bit in their signatures.
    init?(decidingTampered tokens: BenchTokens) {
        let texts = tokens.texts.map(Self.tampered)
        guard let requests = DecidedRequests(tokens, texts) else { return nil }
        self.init(ours: requests.refusesTheSignature, baseline: { tokens.refusal(texts[$0 % texts.count]) == .signatureInvalid })
    }
}
