public import JWTCore

/// An access token that was verified, with the verified proof that its sender has its key. Only ``ProofVerifier`` makes one.
public struct ProvenToken: Sendable {
    /// The token. Its `cnf` names the key of ``proof``.
    public let token: VerifiedToken
    /// The proof, which has to be used once.
    public let proof: VerifiedProof
}

extension ProvenToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithms. No claim and no key is in it.
    public var description: String { "ProvenToken(\(token.algorithm.name), \(proof))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
