/// The only entry to signature verification: tests and vectors call the same functions as tokens.
package enum SignatureEngine {
    /// Whether `signature` is valid for `message` under `key` and `algorithm`. The caller has checked that the two fit.
    ///
    /// ECDSA signatures are r||s of the exact length (RFC 7518 section 3.4), RSA ones are as long as the modulus, PSS salts as long as the
    /// hash. Any other length is refused before the signature is computed with.
    static func verify(_ algorithm: SignatureAlgorithm, key: BorrowedKey, message: Span<UInt8>, signature: Span<UInt8>) -> Bool {
        let row = algorithm.row
        guard row.signatureLength == 0 || signature.count == row.signatureLength, key.refusal(for: algorithm) == nil else { return false }
        if let verdict = key.kernelVerdict(row, message: message, signature: signature) {
            return Engine.settled(verdict.isGood, by: verdict.family.single) {
                key.handle?.verifiesByReference(row, message: message, signature: signature)
            }
        }
        return key.handle?.verifies(row, message: message, signature: signature) ?? false
    }
}
