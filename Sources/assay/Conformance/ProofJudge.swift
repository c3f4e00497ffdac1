import DPoP
import JWTCore
import ReplayMemory

/// Assay's own verdict on a request with an access token and a DPoP proof, in the order in which a gateway judges them.
struct ProofJudge {
    private let tokens: TokenVerifier<VectorKeys>
    private let proofs: ProofVerifier
    private let now: NumericDate

    init(keys: VectorKeys, policy: ProofFile.Policy, now: NumericDate) {
        tokens = TokenVerifier(keys: keys, policy: policy.claims)
        proofs = ProofVerifier(policy: policy.proofs)
        self.now = now
    }

    /// "valid" or the error code.
    func verdict(on vector: ProofFile.Case) -> String {
        let memory = ReplayTable(entries: 64)
        do throws(VerificationError) {
            for proof in vector.earlier ?? [] { try judge(vector, [proof], memory) }
            try judge(vector, vector.proofs, memory)
            return "valid"
        } catch {
            return error.code.name
        }
    }

    private func judge(_ vector: ProofFile.Case, _ fields: [String], _ memory: ReplayTable) throws(VerificationError) {
        let binding = try binding(of: vector.authorization)
        guard let proof = fields.first else { throw VerificationError(.missingProof) }
        // A comma joins several fields to one (RFC 9110 section 5.3).
        guard fields.count == 1, !proof.utf8.contains(UInt8(ascii: ",")) else { throw VerificationError(.severalProofs) }
        try use(try verified(proof, vector, binding), memory)
    }

    private struct Binding {
        let token: String
        let thumbprint: KeyThumbprint
    }

    /// The key that the access token is bound to; nil without a token.
    private func binding(of authorization: String?) throws(VerificationError) -> Binding? {
        guard let authorization else { return nil }
        let words = authorization.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { throw VerificationError(.malformedToken) }
        let isOfScheme = words[0].lowercased() == "dpop"
        guard case .keyThumbprint(let thumbprint) = try confirmation(of: words[1]) else { throw VerificationError(.unboundToken) }
        // RFC 9449 section 7.2: a token that is bound to a key is none for bearers.
        guard isOfScheme else { throw VerificationError(.boundTokenWithoutProof) }
        return Binding(token: words[1], thumbprint: thumbprint)
    }

    private func confirmation(of token: String) throws(VerificationError) -> ConfirmationClaim {
        let read = try tokens.withVerified(token.utf8.span, now: now) { claims in
            Result { () throws(VerificationError) in try claims.confirmation }
        }
        return try read.get()
    }

    private func verified(
        _ proof: String, _ vector: ProofFile.Case, _ binding: Binding?
    ) throws(VerificationError) -> VerifiedProof {
        guard let binding else { return try proofs.verify(proof, method: vector.method, url: vector.url, now: now) }
        return try proofs.verify(
            proof, method: vector.method, url: vector.url, accessToken: binding.token, boundTo: binding.thumbprint, now: now)
    }

    private func use(_ proof: VerifiedProof, _ memory: ReplayTable) throws(VerificationError) {
        let use: ReplayUse
        do {
            use = try memory.useNow(proof.identifier, until: proof.end, now: now)
        } catch {
            throw VerificationError(.keysUnavailable)
        }
        guard use == .first else { throw VerificationError(.replayedProof) }
    }
}
