/// What tokens are judged by. Lent to each stage of a verification, and never copied there: every core would write to the same counts.
@usableFromInline
struct Rules<Keys: KeySource>: Sendable {
    @usableFromInline var policy: ClaimsPolicy
    @usableFromInline let keys: Keys

    /// Verifies the signature of a token.
    ///
    /// - Parameters:
    ///   - chosen: the only key that fitted this header before, in this set or another.
    ///   - judged: a batch's verdict on this signature, if the token is in one.
    @inline(__always)
    func verifySignature(
        of parts: borrowing TokenParts, _ header: borrowing JOSEHeader, _ limits: TokenLimits, chosen: ChosenKey = ChosenKey(),
        judged: JudgedSignature? = nil
    ) throws(VerificationError) -> SignatureVerified {
        try verifySignature(
            header, message: parts.token.signingInput, signature: parts.signature, limits, chosen: chosen, judged: judged)
    }

    /// Verifies the signature over `message`, which is not the token's own text for a detached payload.
    @inline(__always)
    func verifySignature(
        _ header: borrowing JOSEHeader, message: Span<UInt8>, signature: Span<UInt8>, _ limits: TokenLimits,
        chosen: ChosenKey = ChosenKey(), judged: JudgedSignature? = nil
    ) throws(VerificationError) -> SignatureVerified {
        let choice = KeyChoice(chosen: chosen, allowed: policy.algorithms, limit: limits.candidateKeys)
        let step = SignatureStep(choice: choice, judged: judged)
        return try step.verify(header, message: message, signature: signature, keys: keys)
    }
}

/// Only this step selects keys.
private struct SignatureStep {
    let choice: KeyChoice
    let judged: JudgedSignature?

    /// Reports a `kid` that no key has to the source, which may fetch it.
    @inline(never)
    func verify(
        _ header: borrowing JOSEHeader, message: Span<UInt8>, signature: Span<UInt8>, keys: some KeySource
    ) throws(VerificationError) -> SignatureVerified {
        try keys.withKeys { lent throws(VerificationError) in
            do throws(VerificationError) {
                if let judged, judged.keySetSerial == lent.serial {
                    return try SignatureVerified(header, judged: judged, message: message, signature: signature, keys: lent)
                }
                return try SignatureVerified(header, message: message, signature: signature, keys: lent, choice)
            } catch {
                guard error.code == .unknownKey, let keyID = header.keyID else { throw error }
                throw keys.refusal(ofUnknown: KeyIDHash(keyID), in: lent)
            }
        }
    }
}
