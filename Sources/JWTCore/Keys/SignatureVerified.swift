/// Proof that a signature was verified: by which key, under which algorithm. Only this file can make one, it cannot be copied, and
/// ``Claims`` cannot be made without one.
struct SignatureVerified: ~Copyable {
    let algorithm: SignatureAlgorithm
    /// The index of the key in its set.
    let keyPosition: Int
    /// The set's ``KeySet/serial``.
    let keySetSerial: UInt64
    /// The key's curve, which decides what EdDSA means.
    let curve: Curve?
    /// Whether no other key of the set fits the header.
    let isOnlyChoice: Bool

    // Both borrow the keys: an initialiser's parameters are otherwise retained for it.

    /// Tries the fitting keys of `keys`, in order.
    ///
    /// - Throws: the errors of ``KeySet/candidates(_:keyID:limit:)``; `algorithm_not_allowed` for an HMAC if the set mixes it with public
    ///   keys and the policy allows both; `signature_invalid`.
    init(
        _ header: borrowing JOSEHeader, message: Span<UInt8>, signature: Span<UInt8>, keys: borrowing KeySet,
        _ choice: KeyChoice
    ) throws(VerificationError) {
        let algorithm = header.algorithm
        let candidates = try keys.candidates(header, choice)
        for ordinal in 0..<candidates.count {
            let key = keys.borrowed[candidates[ordinal]]
            guard SignatureEngine.verify(algorithm, key: key, message: message, signature: signature) else { continue }
            self.algorithm = algorithm
            self.keyPosition = candidates[ordinal]
            self.keySetSerial = keys.serial
            self.curve = key.curve
            self.isOnlyChoice = candidates.count == 1
            return
        }
        throw VerificationError(.signatureInvalid)
    }

    /// From a batch's verdict on this token's signature, with the only key of `keys` that fits its header.
    ///
    /// - Throws: `signature_invalid`.
    init(
        _ header: borrowing JOSEHeader, judged: JudgedSignature, message: Span<UInt8>, signature: Span<UInt8>, keys: borrowing KeySet
    ) throws(VerificationError) {
        let key = keys.borrowed[judged.keyPosition], row = header.algorithm.row
        let isGood = Engine.settled(judged.isGood, by: judged.family) {
            key.handle?.verifiesByReference(row, message: message, signature: signature)
        }
        guard isGood else { throw VerificationError(.signatureInvalid) }
        algorithm = header.algorithm
        keyPosition = judged.keyPosition
        keySetSerial = keys.serial
        curve = key.curve
        isOnlyChoice = true
    }
}

/// The only key of a set that fits a header. While the set stays the same, no second search is needed.
struct ChosenKey: BitwiseCopyable {
    /// The set's ``KeySet/serial``; zero for no set.
    var keySetSerial: UInt64 = 0
    var position = 0
}

/// What decides between the keys that fit a header.
struct KeyChoice {
    /// The only key found to fit this exact header, in this set or another.
    let chosen: ChosenKey
    /// The policy's algorithms.
    let allowed: AlgorithmSet
    /// Keys to try.
    let limit: Int
}

/// A batch's verdict on one token's signature, valid only for one key set.
struct JudgedSignature {
    let keySetSerial: UInt64
    let keyPosition: Int
    let family: KernelFamily
    let isGood: Bool

    /// Nil if the batch did not decide.
    init?(_ pending: PendingSignature, keySetSerial: UInt64) {
        // SAFETY: reads only numbers and the verdict, not the pointers.
        guard let verdict = unsafe pending.verdict else { return nil }
        self.keySetSerial = keySetSerial
        keyPosition = unsafe pending.keyPosition
        family = unsafe pending.family
        isGood = verdict
    }
}

extension KeySet {
    /// The keys that fit the header; only `chosen`, if it belongs to this set.
    ///
    /// - Throws: the errors of ``candidates(_:keyID:limit:)``; `algorithm_not_allowed` for an HMAC if the set mixes it with public keys and
    ///   the policy allows both.
    func candidates(_ header: borrowing JOSEHeader, _ choice: KeyChoice) throws(VerificationError) -> Candidates {
        let algorithm = header.algorithm
        if algorithm.isSymmetric, hasAsymmetric, !choice.allowed.intersection(.asymmetric).isEmpty {
            throw VerificationError(
                .algorithmNotAllowed, because: "policy and key set mix HMAC with public keys; name only HMAC algorithms, or none")
        }
        if choice.chosen.keySetSerial == serial, choice.limit > 0 { return Candidates(only: choice.chosen.position) }
        return try candidates(algorithm, keyID: header.keyID, limit: choice.limit)
    }
}
