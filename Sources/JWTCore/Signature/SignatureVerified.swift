/// Proof that a signature was verified: by which key, under which algorithm. Nothing outside this file can make one, it cannot be
/// copied, and whoever wants ``Claims`` must hand one over.
struct SignatureVerified: ~Copyable {
    let algorithm: SignatureAlgorithm
    /// The place of the key in its set.
    let keyPosition: Int
    /// The key's curve, which decides what EdDSA means.
    let group: KeyGroup?

    /// Tries the keys of `keys` that fit the header, in order.
    ///
    /// - Throws: what ``KeySet/candidates(_:keyID:limit:)`` throws; `algorithm_not_allowed` for an HMAC where the set mixes it with
    ///   public keys and the policy allows both; `signature_invalid`.
    init(
        _ header: borrowing JOSEHeader, message: Span<UInt8>, signature: Span<UInt8>, keys: KeySet, allowed: AlgorithmSet, limit: Int
    ) throws(VerificationError) {
        let algorithm = header.algorithm
        if algorithm.isSymmetric, keys.hasAsymmetric, !allowed.intersection(.asymmetric).isEmpty {
            throw VerificationError(.algorithmNotAllowed)
        }
        let candidates = try keys.candidates(algorithm, keyID: header.keyID, limit: limit)
        for ordinal in 0..<candidates.count {
            let key = keys.borrowed[candidates[ordinal]]
            guard SignatureEngine.verify(algorithm, key: key, message: message, signature: signature) else { continue }
            self.algorithm = algorithm
            self.keyPosition = candidates[ordinal]
            self.group = key.group
            return
        }
        throw VerificationError(.signatureInvalid)
    }
}
