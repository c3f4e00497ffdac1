extension TokenVerifier {
    /// Verifies each token of `batch` independently, and lends the claims of the valid ones. Signatures of one kind are judged eight at a
    /// time if the CPU has the instructions. Allocates nothing itself.
    ///
    /// - Parameters:
    ///   - batch: the tokens, in order.
    ///   - now: the time to judge for; nil reads the clock, once.
    ///   - accepted: receives the claims of each valid token with its index in the batch, in order.
    ///   - refused: receives the error of each other token with its index in the batch, in order.
    public func withVerified(
        _ batch: borrowing TokenBatch, now: NumericDate? = nil, accepted: (Int, borrowing Claims) -> Void,
        refused: (Int, VerificationError) -> Void
    ) {
        BatchVerification(limits: limits, now: now ?? clock.now).verify(batch, rules, accepted: accepted, refused: refused)
    }

    /// Verifies each token of `batch` independently, and returns copies of the valid ones' content.
    ///
    /// - Returns: a verdict for each token, in order.
    public func verify(_ batch: borrowing TokenBatch, now: NumericDate? = nil) -> [Result<VerifiedToken, VerificationError>] {
        var verdicts: [Result<VerifiedToken, VerificationError>] = []
        verdicts.reserveCapacity(batch.count)
        withVerified(batch, now: now) { _, claims in
            verdicts.append(.success(VerifiedToken(claims)))
        } refused: { _, error in
            verdicts.append(.failure(error))
        }
        return verdicts
    }

    /// Verifies each of `tokens` independently.
    ///
    /// - Returns: a verdict for each token, in order.
    public func verify(batch tokens: some Sequence<String>, now: NumericDate? = nil) -> [Result<VerifiedToken, VerificationError>] {
        verify(TokenBatch(tokens), now: now)
    }

    /// Verifies each of `tokens` independently.
    ///
    /// - Returns: a verdict for each token, in order.
    public func verify(batch tokens: some Sequence<[UInt8]>, now: NumericDate? = nil) -> [Result<VerifiedToken, VerificationError>] {
        verify(TokenBatch(tokens), now: now)
    }
}
