internal import DPoP
internal import JWTCore

/// What the challenges of a policy say about DPoP (RFC 9449 section 7.1).
struct ProofChallengeTerms: Sendable {
    /// The parameter `algs`.
    let algorithms: [UInt8]
    /// Whether no provider of the policy takes bearer tokens.
    let isOnlyScheme: Bool

    /// Nil for a policy without terms for proofs.
    ///
    /// - Parameter providers: those of the policy's requirement.
    init?(_ providers: [Provider]) {
        let terms = providers.compactMap(\.proofs)
        guard !terms.isEmpty else { return nil }
        var algorithms = AlgorithmSet()
        for algorithm in terms.flatMap(\.policy.algorithms.algorithms) where !algorithm.isSymmetric { algorithms.insert(algorithm) }
        self.algorithms = Array("algs=\"\(algorithms.algorithms.map(\.name).joined(separator: " "))\"".utf8)
        isOnlyScheme = terms.count == providers.count && terms.allSatisfy { $0.tokens == .bound }
    }
}

extension DenialReason {
    /// Whether a proof, or a token's binding to a key, is the cause.
    var isOfBinding: Bool {
        guard case .token(let error) = self else { return false }
        return error.code.isOfProof || [.unboundToken, .boundTokenWithoutProof, .invalidConfirmation].contains(error.code)
    }
}

extension DecisionMemory {
    /// Adds the nonce that the next proof needs: to a refusal that has a challenge, where a provider asks for nonces (RFC 9449 section 9),
    /// and to an admission whose proof has the nonce before (section 8.2).
    mutating func addProofNonce(_ policy: PolicyRules, _ verdict: Verdict, now: NumericDate) {
        guard !verdict.isAllowed else { return uses.nextNonce.map { add(nonce: $0) } ?? () }
        guard challenge != nil else { return }
        for provider in policy.providers.indices {
            guard let nonces = policy.providers[provider].proofs?.nonces else { continue }
            return add(nonce: nonces.current(at: now))
        }
    }

    private mutating func add(nonce: String) {
        let start = bytes.count
        bytes.append(nonce)
        proofNonce = start..<bytes.count
    }
}
