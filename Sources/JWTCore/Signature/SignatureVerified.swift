/// Proof that a signature was verified: by which key, under which algorithm. Nothing outside this file can make one, it cannot be
/// copied, and whoever wants ``Claims`` must hand one over.
struct SignatureVerified: ~Copyable {
    let algorithm: SignatureAlgorithm
    /// The place of the key in its set.
    let keyPosition: Int
    /// The set's ``KeySet/serial``.
    let keySetSerial: UInt64
    /// The key's curve, which decides what EdDSA means.
    let group: KeyGroup?
    /// Whether no other key of the set fits the header.
    let isOnlyChoice: Bool

    /// Tries the keys of `keys` that fit the header, in order.
    ///
    /// - Parameter chosen: the key that was found to be the only one that fits this very header, in this set or another.
    /// - Throws: what ``KeySet/candidates(_:keyID:limit:)`` throws; `algorithm_not_allowed` for an HMAC where the set mixes it with
    ///   public keys and the policy allows both; `signature_invalid`.
    init(
        _ header: borrowing JOSEHeader, message: Span<UInt8>, signature: Span<UInt8>, keys: KeySet, chosen: ChosenKey,
        allowed: AlgorithmSet, limit: Int
    ) throws(VerificationError) {
        let algorithm = header.algorithm
        let candidates = try keys.candidates(header, chosen: chosen, allowed: allowed, limit: limit)
        for ordinal in 0..<candidates.count {
            let key = keys.borrowed[candidates[ordinal]]
            guard SignatureEngine.verify(algorithm, key: key, message: message, signature: signature) else { continue }
            self.algorithm = algorithm
            self.keyPosition = candidates[ordinal]
            self.keySetSerial = keys.serial
            self.group = key.group
            self.isOnlyChoice = candidates.count == 1
            return
        }
        throw VerificationError(.signatureInvalid)
    }

    /// By the verdict that a batch reached over this token's signature, with the only key of `keys` that fits its header.
    ///
    /// - Throws: `signature_invalid`.
    init(
        _ header: borrowing JOSEHeader, judged: JudgedSignature, message: Span<UInt8>, signature: Span<UInt8>, keys: KeySet
    ) throws(VerificationError) {
        let key = keys.borrowed[judged.keyPosition], row = header.algorithm.row
        let isGood = Engine.settled(judged.isGood) {
            key.handle?.verifiesByReference(row, message: message, signature: signature) ?? false
        }
        guard isGood else { throw VerificationError(.signatureInvalid) }
        algorithm = header.algorithm
        keyPosition = judged.keyPosition
        keySetSerial = keys.serial
        group = key.group
        isOnlyChoice = true
    }
}

/// Which key of which set is the only one that fits a header: what need not be looked for again while the set is the same.
struct ChosenKey: BitwiseCopyable {
    /// The set's ``KeySet/serial``; zero is none's.
    var keySetSerial: UInt64 = 0
    var position = 0
}

/// What a batch found of one token's signature, by the keys of one set: of another it says nothing.
struct JudgedSignature {
    let keySetSerial: UInt64
    let keyPosition: Int
    let isGood: Bool

    /// Nil where the batch left it open.
    init?(_ pending: PendingSignature, keySetSerial: UInt64) {
        guard let verdict = pending.verdict else { return nil }
        self.keySetSerial = keySetSerial
        keyPosition = pending.keyPosition
        isGood = verdict
    }
}

extension KeySet {
    /// The keys that fit the header, of which `chosen` is the only one if it is of this set.
    ///
    /// - Throws: what ``candidates(_:keyID:limit:)`` throws; `algorithm_not_allowed` for an HMAC where the set mixes it with public keys
    ///   and the policy allows both.
    func candidates(
        _ header: borrowing JOSEHeader, chosen: ChosenKey, allowed: AlgorithmSet, limit: Int
    ) throws(VerificationError) -> Candidates {
        let algorithm = header.algorithm
        if algorithm.isSymmetric, hasAsymmetric, !allowed.intersection(.asymmetric).isEmpty {
            throw VerificationError(.algorithmNotAllowed)
        }
        if chosen.keySetSerial == serial, limit > 0 { return Candidates(only: chosen.position) }
        return try candidates(algorithm, keyID: header.keyID, limit: limit)
    }
}
