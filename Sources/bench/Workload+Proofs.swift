import JWTCore

/// What a token that is bound to a key costs: the token and its DPoP proof.
extension Workload {
    /// A request with a token and the proof of a client that came before, beside two bare verifications of OpenSSL.
    init?(provingWith tokens: BenchTokens) {
        guard let requests = Self.requests(tokens), let raw = RawOpenSSL(tokens) else { return nil }
        self.init(ours: { tokens.verifies($0) && requests.isProved($0) }, raw: { raw.verifies($0) && raw.verifies($0) })
    }

    /// The same beside two tokens.
    init?(costOfProving tokens: BenchTokens) {
        guard let requests = Self.requests(tokens) else { return nil }
        self.init(
            ours: { tokens.verifies($0) && requests.isProved($0) }, own: { tokens.verifies($0) && tokens.verifies($0 + 1) })
    }

    /// Tokens with the proofs of clients that come for the first time: their keys are built for libcrypto, which verifies.
    init?(firstProofsWith tokens: BenchTokens) {
        guard let requests = ProvedRequests(ofManyClients: tokens), let raw = RawOpenSSL(tokens) else { return nil }
        self.init(ours: { tokens.verifies($0) && requests.isProved($0) }, raw: { raw.verifies($0) && raw.verifies($0) })
    }

    /// Batches of tokens with their proofs.
    init?(provingBatchesWith tokens: BenchTokens) {
        guard let batches = ProvedBatches(8), let raw = RawOpenSSL(tokens) else { return nil }
        self.init(
            ours: batches.verifiesBatch, raw: { raw.verifies($0) && raw.verifies($0) }, tokensPerCall: ProvedBatches.requestsPerBatch)
    }

    /// Proofs that are refused before their signature.
    init?(refusing proof: RefusedProof, _ tokens: BenchTokens) {
        guard let client = ProvingClient(), let other = ProvingClient(),
            let requests = ProvedRequests(
                tokens, client,
                proof: { token, place in
                    if let text = proof.text { return Array(text.utf8) }
                    return client.proof(token, place, proof.changes, type: proof.type, other: proof.hasOtherKey ? other : nil)
                })
        else { return nil }
        self.init(ours: { requests.code($0) == proof.code })
    }

    private static func requests(_ tokens: BenchTokens) -> ProvedRequests? {
        guard let client = ProvingClient(), let requests = ProvedRequests(tokens, client), requests.prepare() else { return nil }
        return requests
    }
}
