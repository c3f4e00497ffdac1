// The snippets of the documentation of DPoP, which quotes them line by line.

import DPoP
import JWTCore
import ReplayMemory

func admit(
    _ accessToken: String, _ field: String, url: String, verifier: TokenVerifier<KeySet>, refuse: () -> Bool
) throws -> Bool {
    let proofs = ProofVerifier()
    let token = try verifier.verify(accessToken)
    guard case .keyThumbprint(let key) = try token.claims.confirmation else { return refuse() }
    let proof = try proofs.verify(field, method: "GET", url: url, accessToken: accessToken, boundTo: key)
    return proof.thumbprint == key
}

func admit(_ accessToken: String, certificate der: [UInt8], verifier: TokenVerifier<KeySet>, refuse: () -> Bool) throws -> Bool {
    let token = try verifier.verify(accessToken)
    guard case .certificateThumbprint(let bound) = try token.claims.confirmation else { return refuse() }
    guard try CertificateThumbprint(ofCertificate: der.span) == bound else { return refuse() }
    return true
}

func use(_ proof: VerifiedProof, _ memory: some ReplayMemory, now: NumericDate, refuse: () -> Bool) async throws -> Bool {
    guard try await memory.use(proof.identifier, until: proof.end, now: now) == .first else { return refuse() }
    return true
}

struct ProofReply {
    var fields: [String: String] = [:]
}

func challenge(_ error: VerificationError, _ proofs: ProofVerifier, now: NumericDate) -> ProofReply {
    var reply = ProofReply()
    let challenge = ProofChallenge(refusing: error, policy: proofs.policy, now: now)
    reply.fields["WWW-Authenticate"] = challenge?.fieldValue
    reply.fields["DPoP-Nonce"] = challenge?.nonce
    return reply
}

func policy(secret: [UInt8]) -> ProofVerifier {
    var policy = ProofPolicy()
    policy.algorithms = [.es256, .edDSA]
    policy.maximumAge = .seconds(30)
    policy.nonces = ProofNonces(secrets: [secret], label: "orders")
    let proofs = ProofVerifier(policy: policy)
    return proofs
}

func verify(
    _ requests: [(token: String, proof: String, method: String, url: String)], _ proofs: ProofVerifier, _ verifier: TokenVerifier<KeySet>
) -> [Result<ProvenToken, VerificationError>] {
    var batch = ProofBatch()
    for request in requests {
        batch.append(accessToken: request.token, proof: request.proof, method: request.method, url: request.url)
    }
    let verdicts = proofs.verify(batch, tokens: verifier)
    return verdicts
}
