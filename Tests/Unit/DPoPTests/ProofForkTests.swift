#if os(Linux)
import CForkCheck
import DPoP
import JWTCore
import JWTTestSupport
import Synchronization
import Testing

/// Servers fork after they made their verifiers: a child can verify proofs, even if another thread of its parent was using the memories.
@Suite(.serialized) struct ProofForkTests {
    nonisolated(unsafe) private static var verifier = ProofVerifier()
    nonisolated(unsafe) private static var proof = ""

    @Test func aForkedChildVerifiesProofs() {
        var policy = ProofPolicy()
        let nonces = ProofNonces.random(label: "forks"), clients = (0..<8).map { _ in ProofForge(.ed25519) }
        policy.nonces = nonces
        unsafe Self.verifier = ProofVerifier(policy: policy, keys: ProofKeys(capacity: 1))
        unsafe Self.proof = clients[0].proof(ProofForge.claims(["nonce": "\"\(nonces.current(at: ProofForge.now))\""]))
        let thumbprint = clients[0].thumbprint
        unsafe Self.thumbprint = thumbprint
        let isDone = Atomic(false)
        onThreads(2) { thread in
            guard thread == 0 else {
                // Nearly always in a memory: keys that come back and push each other out, and nonces of another period.
                while !isDone.load(ordering: .relaxed) {
                    for round in 0..<64 {
                        _ = nonces.current(at: ProofForge.now.advanced(by: .seconds(round % 2 * 300)))
                        _ = unsafe Self.verifier.code(Self.proof, boundTo: thumbprint)
                    }
                }
                return
            }
            for _ in 0..<60 {
                #expect(
                    cfork_child_says {
                        let code = unsafe ProofForkTests.verifier.code(ProofForkTests.proof, boundTo: ProofForkTests.thumbprint)
                        return code == nil ? 10 : 11
                    } == 10)
            }
            isDone.store(true, ordering: .relaxed)
        }
    }

    nonisolated(unsafe) private static var thumbprint = ProofForge.es256.thumbprint
}
#endif
