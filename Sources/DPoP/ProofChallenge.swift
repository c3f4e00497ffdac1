public import JWTCore

/// A server's reply to a request whose DPoP proof or token was refused: the value of `WWW-Authenticate` (RFC 9449 sections 7.1 and 9), and
/// the nonce that goes with it.
///
/// ```swift
/// let challenge = ProofChallenge(refusing: error, policy: proofs.policy, now: now)
/// reply.fields["WWW-Authenticate"] = challenge?.fieldValue
/// reply.fields["DPoP-Nonce"] = challenge?.nonce
/// ```
public struct ProofChallenge: Hashable, Sendable {
    /// Nil if the request has no token.
    public let failure: BearerChallenge.Failure?
    /// For developers; not shown to users.
    public let description: String?
    /// The algorithms that a proof may have, separated by spaces.
    public let algorithms: String
    /// The value of the field `DPoP-Nonce`; nil where the policy asks for no nonce.
    public let nonce: String?

    /// The challenge for a request without a token.
    ///
    /// - Parameters:
    ///   - policy: what is asked of proofs.
    ///   - now: the time of the nonce.
    public init(_ policy: ProofPolicy, now: NumericDate) { self.init(nil, nil, policy, now) }

    /// The challenge for a refused token or proof; nil if neither is the cause (`keys_unavailable`).
    ///
    /// - Parameters:
    ///   - error: of the token or the proof.
    ///   - policy: what is asked of proofs.
    ///   - now: the time of the nonce.
    public init?(refusing error: VerificationError, policy: ProofPolicy, now: NumericDate) {
        guard let failure = error.code.bearerFailure else { return nil }
        self.init(failure, error.code.summary, policy, now)
    }

    private init(_ failure: BearerChallenge.Failure?, _ description: String?, _ policy: ProofPolicy, _ now: NumericDate) {
        self.failure = failure
        self.description = description
        algorithms = policy.proofAlgorithms.algorithms.map(\.name).joined(separator: " ")
        nonce = policy.nonces?.current(at: now)
    }

    /// The status of the reply: 401 unless the token lacks a scope.
    public var httpStatus: Int { failure?.httpStatus ?? 401 }

    /// The value of the field `WWW-Authenticate`.
    public var fieldValue: String {
        let parameters = [("error", failure?.rawValue), ("error_description", description), ("algs", algorithms)]
        return "DPoP " + parameters.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }.joined(separator: ", ")
    }
}
