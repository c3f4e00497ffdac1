// Within the library too, a proof is made by verifying a signature and not otherwise.
// Expected: error: extra arguments at positions #2, #3 in call
func proof(
    _ header: borrowing JOSEHeader, _ message: Span<UInt8>, _ signature: Span<UInt8>, _ keys: KeySet
) throws(VerificationError) -> SignatureVerified {
    #if VIOLATE
    SignatureVerified(algorithm: header.algorithm, keyPosition: 0, group: nil)
    #else
    try SignatureVerified(
        header, message: message, signature: signature, keys: keys, chosen: ChosenKey(), allowed: .asymmetric, limit: 4)
    #endif
}
