import DPoP
import JWTCore
import Testing

/// What a client is told (RFC 9449 sections 7.1 and 9).
struct ProofChallengeTests {
    @Test(arguments: [
        (VerificationError.Code.proofSignatureInvalid, "invalid_dpop_proof"), (.missingProof, "invalid_dpop_proof"),
        (.replayedProof, "invalid_dpop_proof"), (.missingProofNonce, "use_dpop_nonce"), (.proofNonceMismatch, "use_dpop_nonce"),
        (.unboundToken, "invalid_token"), (.boundTokenWithoutProof, "invalid_token"), (.invalidConfirmation, "invalid_token"),
        (.expired, "invalid_token"),
    ])
    func aCodeHasItsErrorAndTheStatus401(code: VerificationError.Code, error: String) throws {
        #expect(code.bearerFailure?.rawValue == error && code.httpStatus == 401)
    }

    @Test
    func theChallengeNamesTheAlgorithmsAndBringsTheNonce() throws {
        var policy = ProofPolicy()
        policy.algorithms = [.es256, .edDSA, .hs256]
        let now = ProofForge.now, verifier = ProofVerifier(policy: policy)
        #expect(ProofChallenge(policy, now: now).fieldValue == #"DPoP algs="ES256 EdDSA""#)
        let error = try #require(throws: VerificationError.self) {
            try verifier.verify("x", method: "GET", url: "https://api.example/", now: now)
        }
        let challenge = try #require(ProofChallenge(refusing: error, policy: policy, now: now))
        #expect(challenge.fieldValue.hasPrefix(#"DPoP error="invalid_dpop_proof", error_description=""#))
        #expect(challenge.fieldValue.hasSuffix(#"", algs="ES256 EdDSA""#) && challenge.nonce == nil && challenge.httpStatus == 401)
        policy.nonces = .random(label: "api")
        #expect(ProofChallenge(policy, now: now).nonce == policy.nonces?.current(at: now))
        #expect(ProofChallenge(refusing: .keysUnavailable, policy: policy, now: now) == nil)
    }
}
