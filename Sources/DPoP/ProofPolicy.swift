public import JWTCore

/// What a resource server asks of DPoP proofs (RFC 9449 section 4.3).
public struct ProofPolicy: Sendable {
    /// The allowed values of `alg`. HMAC is never one of them, even if it is listed: a proof has a public key.
    public var algorithms: AlgorithmSet = [.es256, .es384, .es512, .edDSA, .ed25519, .ed448, .ps256, .rs256]
    /// The time since `iat` after which a proof is too old. A minute: a proof is made for one request. Whole seconds count.
    public var maximumAge: Duration = .seconds(60)
    /// How far the clock of a client may differ from this one. Ten seconds; a client with a worse clock needs nonces. Whole seconds count.
    public var leeway: Duration = .seconds(10)
    /// The nonces that a proof must have one of (RFC 9449 section 9); nil: a proof needs none, and one that it has is not looked at.
    public var nonces: ProofNonces?

    public init() {}

    /// The algorithms that a proof may have, in the order of the table.
    package var proofAlgorithms: AlgorithmSet { algorithms.intersection(.asymmetric) }
}
