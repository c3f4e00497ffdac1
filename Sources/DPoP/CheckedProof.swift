internal import JWTCore

/// What a proof says, judged by everything but its signature.
struct CheckedProof {
    let algorithm: SignatureAlgorithm
    let issuedAt: NumericDate
    let end: NumericDate
    let tokenID: [UInt8]
    let nextNonce: String?

    /// The proof, whose signature has verified by the key with this thumbprint.
    func verified(by thumbprint: KeyThumbprint) -> VerifiedProof {
        VerifiedProof(
            thumbprint: thumbprint, algorithm: algorithm, issuedAt: issuedAt, end: end, tokenID: tokenID, nextNonce: nextNonce)
    }
}

/// A proof that is verified, or lacks the verdict on its signature.
enum BegunProof {
    case verified(VerifiedProof)
    /// With the place of the signature, and the key that is to have made it.
    case deferred(Int, CheckedProof, KeyThumbprint)
}
