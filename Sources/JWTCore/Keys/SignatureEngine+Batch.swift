extension SignatureEngine {
    /// Verifies signatures of one key as a batch of tokens does, for vectors that are not tokens.
    ///
    /// - Returns: the kernels' verdict on each; nil if they leave it to libcrypto.
    package static func verify(
        _ algorithm: SignatureAlgorithm, key: VerificationKey, batch: [(message: [UInt8], signature: [UInt8])]
    ) -> [Bool?] {
        var signatures = DeferredSignatures()
        for item in batch { _ = signatures.append(algorithm, key: key, message: item.message.span, signature: item.signature.span) }
        return signatures.kernelVerdicts()
    }
}
