// Signature verification for tests and vectors, with keys as they were read.

extension SignatureEngine {
    /// Whether `signature` is valid for `message` under `key` and `algorithm`, on the same path as tokens.
    package static func verify(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        withExtendedLifetime(key) { verify(algorithm, key: key.borrowed, message: message, signature: signature) }
    }

    /// The same on the openssl tier only, whatever the kernels have prepared.
    package static func verifyByLibcrypto(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        guard fits(algorithm, key, signature) else { return false }
        return withExtendedLifetime(key) { key.borrowed.handle?.verifies(algorithm.row, message: message, signature: signature) ?? false }
    }

    /// The same on libcrypto's plainest path: the reference for every faster path.
    package static func verifyByReference(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        guard fits(algorithm, key, signature) else { return false }
        return withExtendedLifetime(key) {
            key.borrowed.handle?.verifiesByReference(algorithm.row, message: message, signature: signature) == true
        }
    }

    private static func fits(_ algorithm: SignatureAlgorithm, _ key: VerificationKey, _ signature: Span<UInt8>) -> Bool {
        let length = algorithm.row.signatureLength
        return (length == 0 || signature.count == length) && key.borrowed.refusal(for: algorithm) == nil
    }
}
