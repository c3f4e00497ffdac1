/// Operations on the same tokens. Each gets the ordinal of its call and returns false for a wrong verdict, which ends the run.
struct Workload {
    let ours: (Int) -> Bool
    /// OpenSSL's bare operation; nil if it has no comparable one.
    var raw: ((Int) -> Bool)?
    /// In place of `raw`, an operation of ours: the ratio is the time of `ours` divided by its time, a cost.
    var own: ((Int) -> Bool)?
    /// For rows that measure a difference: an operation whose time is subtracted from ours in each round.
    var baseline: ((Int) -> Bool)?
    /// The number of tokens that one call of ours verifies.
    var tokensPerCall = 1
}

extension Workload {
    /// Whole verifications one by one, beside OpenSSL's.
    init?(single tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        self.init(ours: tokens.verifies, raw: raw.verifies)
    }

    /// Whole verifications in batches, beside OpenSSL's, which does not support batches.
    init?(batch tokens: BenchTokens) {
        guard let raw = RawOpenSSL(tokens) else { return nil }
        self.init(ours: tokens.verifiesBatch, raw: raw.verifies, tokensPerCall: TokenShare.tokensPerBatch)
    }

    /// The time without cryptography: whole verifications minus their signatures.
    init(overheadOf tokens: BenchTokens) {
        self.init(ours: tokens.verifies, baseline: tokens.signatureVerifies)
    }
}
