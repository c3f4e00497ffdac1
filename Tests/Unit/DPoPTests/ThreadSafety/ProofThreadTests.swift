import DPoP
import JWTCore
import JWTTestSupport
import Synchronization
import Testing

/// One verifier on several threads, with clients that come back, are pushed out, and have nonces. Run under ThreadSanitizer as well.
@Suite(.serialized) struct ThreadSafetyOfProofsTests {
    @Test func everyProofGetsItsVerdictWhateverOtherThreadsDo() {
        var policy = ProofPolicy()
        let nonces = ProofNonces.random(label: "threads")
        policy.nonces = nonces
        let verifier = ProofVerifier(policy: policy, keys: ProofKeys(capacity: 4)), clients = (0..<24).map { _ in ProofForge(.es256) }
        let nonce = "\"\(nonces.current(at: ProofForge.now))\""
        let proofs = clients.map { $0.proof(ProofForge.claims(["nonce": nonce])) }
        let wrong = Atomic(0)
        onThreads(4) { thread in
            for round in 0..<6 * clients.count {
                let place = (round * (2 * thread + 1) + thread) % clients.count
                let good = verifier.code(proofs[place], boundTo: clients[place].thumbprint)
                let other = verifier.code(proofs[place], boundTo: clients[(place + 1) % clients.count].thumbprint)
                // A moment of the next period makes other nonces, and this one stays good.
                let later = nonces.current(at: ProofForge.now.advanced(by: .seconds(round % 2 * 300)))
                if good != nil || other != "proof_key_mismatch" || later.isEmpty { wrong.add(1, ordering: .relaxed) }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
