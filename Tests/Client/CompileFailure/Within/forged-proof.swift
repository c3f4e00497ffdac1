// Even library code can create a proof only by verifying a signature.
// Expected: error: extra argument 'isOnlyChoice' in call
func proof(
    _ header: borrowing JOSEHeader, _ message: Span<UInt8>, _ signature: Span<UInt8>, _ keys: KeySet
) throws(VerificationError) -> SignatureVerified {
    #if VIOLATE
    SignatureVerified(algorithm: header.algorithm, keyPosition: 0, keySetSerial: 0, curve: nil, isOnlyChoice: true)
    #else
    try SignatureVerified(
        header, message: message, signature: signature, keys: keys, KeyChoice(chosen: ChosenKey(), allowed: .asymmetric, limit: 4))
    #endif
}
