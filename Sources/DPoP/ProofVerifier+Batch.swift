public import JWTCore

extension ProofVerifier {
    /// Verifies tokens and their proofs together. The signatures of the tokens are judged eight at a time, then those of the proofs whose
    /// keys came back, if the CPU has the instructions. Results and errors are those of single verifications.
    ///
    /// - Parameters:
    ///   - batch: the requests. Each token is bound to a key (`cnf.jkt`).
    ///   - verifier: of the tokens.
    ///   - now: the time to judge for; nil reads the clock, once.
    /// - Returns: a verdict for each request, in order: the token's error, `unbound_token`, or the proof's error. Each proof still has to be
    ///   used once: a batch may hold one twice.
    public func verify(
        _ batch: ProofBatch, tokens verifier: TokenVerifier<some KeySource>, now: NumericDate? = nil
    ) -> [Result<ProvenToken, VerificationError>] {
        let now = now ?? clock.now
        var deferred = DeferredSignatures(), pending: [Pending] = []
        pending.reserveCapacity(batch.count)
        for (place, verdict) in verifier.verify(batch.tokens, now: now).enumerated() {
            do throws(VerificationError) {
                let token = try verdict.get()
                pending.append(.token(token, try begin(batch, place, token, now, &deferred)))
            } catch {
                pending.append(.refused(error))
            }
        }
        let signatures = deferred.verdicts()
        return pending.map { $0.outcome(signatures) }
    }

    /// A request whose proof may lack the verdict on its signature.
    private enum Pending {
        case refused(VerificationError)
        case token(VerifiedToken, BegunProof)

        func outcome(_ signatures: [Bool]) -> Result<ProvenToken, VerificationError> {
            switch self {
            case .refused(let error): .failure(error)
            case .token(let token, .verified(let proof)): .success(ProvenToken(token: token, proof: proof))
            case .token(let token, .deferred(let place, let proof, let key)):
                signatures[place]
                    ? .success(ProvenToken(token: token, proof: proof.verified(by: key)))
                    : .failure(VerificationError(.proofSignatureInvalid))
            }
        }
    }

    private func begin(
        _ batch: ProofBatch, _ place: Int, _ token: VerifiedToken, _ now: NumericDate, _ deferred: inout DeferredSignatures
    ) throws(VerificationError) -> BegunProof {
        guard case .keyThumbprint(let thumbprint) = try token.claims.confirmation else { throw VerificationError(.unboundToken) }
        let url = batch.urls[place], places = URLPlaces(url)
        let request = ProofRequest(
            method: batch.methods[place], scheme: url.extracting(places.scheme), authority: url.extracting(places.authority),
            target: url.extracting(places.target), accessToken: batch.tokens[place], boundTo: thumbprint)
        return try begin(batch.proofs[place], request, now, &deferred)
    }
}
