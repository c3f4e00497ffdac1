/// Operations on the same tokens, each given the ordinal of its call. False is a wrong answer and ends the run.
struct Workload {
    let ours: (Int) -> Bool
    /// OpenSSL's bare operation; nil where there is none to compare with.
    var raw: ((Int) -> Bool)?
    /// What is taken off our time in each round, for rows that measure a difference.
    var baseline: ((Int) -> Bool)?
    /// What one call of ours verifies.
    var tokensPerCall = 1
}

extension Workload {
    /// Whole verifications one by one, beside OpenSSL's.
    init?(single tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        self.init(ours: tokens.verifies, raw: raw.verifies)
    }

    /// Whole verifications a batch at a time, beside OpenSSL's, which knows no batches.
    init?(batch tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        self.init(ours: tokens.verifiesBatch, raw: raw.verifies, tokensPerCall: TokenShare.tokensPerBatch)
    }

    /// All but cryptography: whole verifications less their signatures.
    init(overheadOf tokens: BenchTokens) {
        self.init(ours: tokens.verifies, baseline: tokens.signatureVerifies)
    }
}
