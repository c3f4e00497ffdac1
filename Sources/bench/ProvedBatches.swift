import DPoP
import JWTCore
import JWTSigning

/// Batches of tokens that are bound to the key of a client, with its proofs.
struct ProvedBatches {
    private let batches: [ProofBatch]
    private let tokens: TokenVerifier<KeySet>
    private let verifier = ProofVerifier()
    private let date: NumericDate

    static let requestsPerBatch = 64

    /// Nil if libcrypto makes no key.
    init?(_ count: Int) {
        guard let client = ProvingClient(), let issuer = SigningKey.generate(.es256), let jwk = issuer.publicJWK,
            let keys = try? KeySet(jwk: jwk)
        else { return nil }
        keys.prepare()
        let policy = ClaimsPolicy(issuer: "https://idp.example", audience: "api")
        tokens = TokenVerifier(keys: keys, policy: policy)
        date = ProvedRequests.now
        let filling = String(repeating: "f", count: 200)
        batches = (0..<count).map { first in
            var batch = ProofBatch()
            for place in 0..<Self.requestsPerBatch {
                let claims = """
                    {"iss":"https://idp.example","sub":"\(first)-\(place)","aud":"api","exp":1700003600,"iat":1700000000,"x":"\(filling)",\
                    "cnf":{"jkt":"\(client.thumbprint)"}}
                    """
                let token = Array((TokenSigner(issuer).token(payload: claims) ?? "").utf8)
                batch.append(
                    accessToken: token, proof: client.proof(token, place) ?? [], method: Array("GET".utf8),
                    url: Array("https://api.example/orders?page=2".utf8))
            }
            return batch
        }
        guard verifiesBatch(0) else { return nil }
        for _ in 0..<2 where !verifiesBatch(1) { return nil }
        KeyTables.senders.settle()
    }

    func verifiesBatch(_ ordinal: Int) -> Bool {
        verifier.verify(batches[ordinal % batches.count], tokens: tokens, now: date).allSatisfy { verdict in
            if case .success = verdict { true } else { false }
        }
    }
}
