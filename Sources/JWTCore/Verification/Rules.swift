/// What tokens are judged by. Lent to each stage of a verification, and never copied there: every core would write to the same counts.
///
/// The type of the key source is no parameter: a verification would otherwise be compiled for the sources of this module alone, and other
/// sources would pay for generic code that asks the runtime for its types.
@safe
@usableFromInline
struct Rules: @unchecked Sendable {
    @usableFromInline var policy: ClaimsPolicy
    private let source: any KeySource
    // SAFETY: `source` retains it, and does not change.
    /// The source if it is a fixed set, which then is lent without a call to the source or a reference count.
    private let fixed: Unmanaged<KeySet>?

    init(policy: ClaimsPolicy, keys: some KeySource) {
        self.policy = policy
        source = keys
        unsafe fixed = (keys as? KeySet).map { unsafe .passUnretained($0) }
    }

    /// Lends the current keys to `body`.
    ///
    /// - Throws: the errors of ``KeySource/withKeys(_:)``; errors of `body`.
    @inline(__always)
    func withKeys(_ body: (KeySet) throws(VerificationError) -> Void) throws(VerificationError) {
        if let fixed = unsafe fixed { try unsafe fixed.lend(body) } else { try source.withKeys(body) }
    }

    // The policy stays a part of these rules in what follows: lent alone, it would be copied for each token.

    /// Judges the header, as ``ClaimsPolicy/evaluate(_:)`` does.
    @inline(__always)
    func evaluate(_ header: borrowing JOSEHeader) throws(VerificationError) { try policy.evaluate(header) }

    /// Judges the claims, as ``ClaimsPolicy/evaluate(_:now:)`` does.
    @inline(__always)
    func evaluate(_ claims: borrowing Claims, now: NumericDate) throws(VerificationError) { try policy.evaluate(claims, now: now) }

    func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError { source.refusal(ofUnknown: keyID, in: keys) }

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
        return try step.verify(header, message: message, signature: signature, by: self)
    }
}

/// Only this step selects keys.
private struct SignatureStep {
    let choice: KeyChoice
    let judged: JudgedSignature?

    /// Reports a `kid` that no key has to the source, which may fetch it.
    @inline(never)
    func verify(
        _ header: borrowing JOSEHeader, message: Span<UInt8>, signature: Span<UInt8>, by rules: Rules
    ) throws(VerificationError) -> SignatureVerified {
        var proof: SignatureVerified?
        try rules.withKeys { lent throws(VerificationError) in
            do throws(VerificationError) {
                proof = try verify(header, message: message, signature: signature, keys: lent)
            } catch {
                guard error.code == .unknownKey, let keyID = header.keyID else { throw error }
                throw rules.refusal(ofUnknown: KeyIDHash(keyID), in: lent)
            }
        }
        // Without an error, there is a proof.
        return proof.take()!
    }

    @inline(__always)
    private func verify(
        _ header: borrowing JOSEHeader, message: Span<UInt8>, signature: Span<UInt8>, keys: borrowing KeySet
    ) throws(VerificationError) -> SignatureVerified {
        if let judged, judged.keySetSerial == keys.serial {
            return try SignatureVerified(header, judged: judged, message: message, signature: signature, keys: keys)
        }
        return try SignatureVerified(header, message: message, signature: signature, keys: keys, choice)
    }
}
