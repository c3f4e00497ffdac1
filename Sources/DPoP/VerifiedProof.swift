public import JWTCore
public import ReplayMemory

/// A DPoP proof that was verified: its sender has the private key to ``thumbprint``, and made the proof for one request. Only
/// ``ProofVerifier`` makes one.
///
/// A proof passes once: whoever accepts it uses its identifier in a memory first (RFC 9449 section 11.1).
public struct VerifiedProof: Sendable {
    /// The key that signed the proof. For a request with an access token it is the key that the token is bound to.
    public let thumbprint: KeyThumbprint
    public let algorithm: SignatureAlgorithm
    /// `iat`.
    public let issuedAt: NumericDate
    /// From this date on the proof is too old, and its identifier may be forgotten.
    public let end: NumericDate
    /// `jti`, the bytes of its UTF-8.
    public let tokenID: [UInt8]
    /// For `DPoP-Nonce` of the response (RFC 9449 section 8.2): the nonce that the client's next proof needs, where this one has the nonce
    /// before it. Nil where the nonce is current, and where the policy asks for none.
    public let nextNonce: String?

    /// What passes once: `jti` with the key that signed it.
    ///
    /// ```swift
    /// guard try await memory.use(proof.identifier, until: proof.end, now: now) == .first else { return refuse() }
    /// ```
    public var identifier: ReplayIdentifier { ReplayIdentifier("dpop", [thumbprint.bytes, tokenID]) }
}

extension VerifiedProof: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm. No claim and no key is in it.
    public var description: String { "VerifiedProof(\(algorithm.name))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
