/// The one entry to signature verification: tests and vectors call what tokens take.
package enum SignatureEngine {
    /// Whether `signature` is a good one for `message` under `key` and `algorithm`, which the caller has matched.
    ///
    /// ECDSA signatures are r||s of the exact length (RFC 7518 section 3.4), RSA ones as long as the modulus, PSS salts as long as
    /// the hash. Any other length is refused before it is looked at.
    package static func verify(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        withExtendedLifetime(key) { verify(algorithm, key: key.borrowed, message: message, signature: signature) }
    }

    /// The same for a key that its set keeps.
    static func verify(_ algorithm: SignatureAlgorithm, key: BorrowedKey, message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
        let row = algorithm.row
        guard row.signatureLength == 0 || signature.count == row.signatureLength, key.refusal(for: algorithm) == nil else { return false }
        if let verdict = key.kernelVerdict(row, message: message, signature: signature) {
            return Engine.settled(verdict) { key.handle?.verifiesByReference(row, message: message, signature: signature) ?? false }
        }
        return key.handle?.verifies(row, message: message, signature: signature) ?? false
    }

    /// The same by the openssl tier alone, whatever the kernels have prepared.
    package static func verifyByLibcrypto(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        let row = algorithm.row
        let isFitting = key.borrowed.refusal(for: algorithm) == nil
        guard row.signatureLength == 0 || signature.count == row.signatureLength, isFitting else { return false }
        return withExtendedLifetime(key) { key.borrowed.handle?.verifies(row, message: message, signature: signature) ?? false }
    }

    /// The same on libcrypto's plainest path: what every faster path is held against.
    package static func verifyByReference(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        let row = algorithm.row
        let isFitting = key.borrowed.refusal(for: algorithm) == nil
        guard row.signatureLength == 0 || signature.count == row.signatureLength, isFitting else { return false }
        return withExtendedLifetime(key) {
            key.borrowed.handle?.verifiesByReference(row, message: message, signature: signature) ?? false
        }
    }
}
