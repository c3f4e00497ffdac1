internal import JWTCore

/// The limits of a DPoP proof, checked before any signature.
public struct ProofLimits: Hashable, Sendable {
    /// Bytes of the whole proof. 8 KiB: one with an RSA key of 4,096 bits has less than 3 KiB, one with ML-DSA-44 less than 7.
    public var proofBytes = 8_192
    /// Bytes of the decoded header, which has the key. 4 KiB: an RSA key of 4,096 bits takes 700, one for ML-DSA-44 1,800.
    public var headerBytes = 4_096
    /// Bytes of `jti`, as written. 256: RFC 9449 section 4.2 asks for 96 bits at least, and clients send 16 to 64 characters.
    public var tokenIDBytes = 256
    /// Bytes of `nonce`, as written. 256.
    public var nonceBytes = 256
    /// Members of the payload, and of each object in the proof. 32: RFC 9449 registers six claims.
    public var members = 32

    public init() {}

    /// The limits for the parts that every token has.
    var token: TokenLimits {
        var limits = TokenLimits()
        limits.tokenBytes = proofBytes
        limits.headerBytes = headerBytes
        limits.stringBytes = proofBytes
        limits.depth = 4
        limits.headerMembers = members
        limits.headerValues = 2 * members
        limits.members = members
        limits.values = 2 * members
        return limits
    }
}
