internal import JWTCore

extension VerificationError {
    /// The error of a proof for an error of the token that the proof is: so that no code leaves open which of the two tokens was refused.
    var ofProof: Self {
        switch code {
        case .tokenTooLarge, .tooManyMembers, .nestingTooDeep: Self(.proofTooLarge, at: offset)
        case .missingAlgorithm, .unsecuredToken, .unsupportedAlgorithm, .algorithmNotAllowed: Self(.proofAlgorithmNotAllowed)
        case .encryptedToken: Self(.malformedProof, because: "the DPoP proof is an encrypted token")
        case .unsupportedCritical:
            Self(.malformedProof, because: "the header of the DPoP proof marks as critical what is not understood here")
        case .invalidHeader:
            Self(.malformedProof, because: "a header parameter of the DPoP proof has the wrong type or an impossible value")
        case .malformedToken, .invalidBase64URL, .invalidJSON, .invalidUTF8, .duplicateMember, .typeMismatch, .invalidClaim:
            Self(.malformedProof, at: offset)
        default: self
        }
    }
}
