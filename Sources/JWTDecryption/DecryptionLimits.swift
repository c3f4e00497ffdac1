/// The limits of an encrypted token, checked before any cryptography. The inner token has the limits of its verifier.
public struct DecryptionLimits: Hashable, Sendable {
    /// Bytes of the compact token. 24 KiB: an inner token of 16 KiB, in base64url once more, with a header and a key.
    public var tokenBytes = 24_576
    /// Bytes of the decoded header. 4 KiB: an `epk` on P-521 has 250, and no known header has one kibibyte.
    public var headerBytes = 4_096
    /// Keys tried for a token without a `kid`, and for a `kid` that several keys share. 4: an overlap of two rotations.
    public var candidateKeys = 4
    /// Bytes of a decompressed content. Nil, the default, refuses `zip`: whoever can choose a part of a compressed content learns about the
    /// rest by its length (RFC 8725 section 3.6), and a few bytes can stand for millions.
    public var inflatedBytes: Int?

    public init() {}

    /// The default limits of ``Decryptor``.
    public static let standard = DecryptionLimits()

    /// Positions in a token are stored in 32 bits.
    var mostTokenBytes: Int { min(tokenBytes, 1 << 30) }
}
