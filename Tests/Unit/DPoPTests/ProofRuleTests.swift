import DPoP
import JWTCore
import JWTTestSupport
import Testing

/// Each rule of RFC 9449 section 4.3, a row each.
struct ProofRuleTests {
    private static let verifier = ProofVerifier()

    private static func code(_ claims: [String: String?]) -> String? {
        verifier.code(ProofForge.es256.proof(ProofForge.claims(claims)))
    }

    @Test
    func aProofForItsRequestHolds() { #expect(Self.code([:]) == nil) }

    @Test(arguments: [
        ("jti", nil, "missing_proof_claim"), ("jti", "7", "invalid_proof_claim"), ("jti", #""""#, "invalid_proof_claim"),
        ("jti", "null", "invalid_proof_claim"), ("jti", #"["a"]"#, "invalid_proof_claim"),
        ("htm", nil, "missing_proof_claim"), ("htm", "1", "invalid_proof_claim"), ("htm", #""POST""#, "proof_method_mismatch"),
        ("htm", #""get""#, "proof_method_mismatch"), ("htm", #""GET ""#, "proof_method_mismatch"), ("htm", #""""#, "proof_method_mismatch"),
        ("htu", nil, "missing_proof_claim"), ("htu", "{}", "invalid_proof_claim"),
        ("htu", #""https://api.example/""#, "proof_url_mismatch"),
        ("iat", nil, "missing_proof_claim"), ("iat", #""1700000000""#, "invalid_proof_claim"), ("iat", "1e99", "invalid_proof_claim"),
        ("iat", "1699999930", "proof_too_old"), ("iat", "1700000011", "proof_issued_in_future"), ("iat", "0", "proof_too_old"),
        ("iat", "1700000000000", "invalid_proof_claim"), ("iat", "-1", "proof_too_old"),
        ("exp", "1699999990", "proof_too_old"), ("exp", #""x""#, "invalid_proof_claim"), ("nbf", "1700000011", "proof_issued_in_future"),
        ("ath", nil, "missing_proof_claim"), ("ath", "1", "invalid_proof_claim"), ("ath", #""""#, "proof_token_mismatch"),
        ("ath", #""fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo""#, "proof_token_mismatch"),
    ])
    func aClaimThatIsAbsentOrWrongIsRefused(name: String, value: String?, code: String) { #expect(Self.code([name: value]) == code) }

    @Test(arguments: [
        ("iat", "1699999931"), ("iat", "1700000010"), ("iat", "1.7e9"), ("iat", "1700000000.5"), ("exp", "1699999991"),
        ("nbf", "1700000010"),
        ("htm", #""\u0047ET""#), ("htu", #""https:\/\/api.example\/orders""#), ("other", #"{"a":[1]}"#), ("nonce", #""unasked""#),
    ])
    func aClaimWithinItsLimitsPasses(name: String, value: String) { #expect(Self.code([name: value]) == nil) }

    @Test(arguments: [
        (#"{"alg":"ES256","jwk":KEY}"#, "proof_type_mismatch"), (#"{"typ":"JWT","alg":"ES256","jwk":KEY}"#, "proof_type_mismatch"),
        (#"{"typ":"at+jwt","alg":"ES256","jwk":KEY}"#, "proof_type_mismatch"),
        (#"{"typ":"DPoP+JWT","alg":"ES256","jwk":KEY}"#, "proof_type_mismatch"),
        (#"{"typ":7,"alg":"ES256","jwk":KEY}"#, "malformed_proof"), (#"["typ"]"#, "malformed_proof"),
        (#"{"typ":"dpop+jwt","jwk":KEY}"#, "proof_algorithm_not_allowed"),
        (#"{"typ":"dpop+jwt","alg":"none","jwk":KEY}"#, "proof_algorithm_not_allowed"),
        (#"{"typ":"dpop+jwt","alg":"HS256","jwk":KEY}"#, "proof_algorithm_not_allowed"),
        (#"{"typ":"dpop+jwt","alg":"XX256","jwk":KEY}"#, "proof_algorithm_not_allowed"),
        (#"{"typ":"dpop+jwt","alg":"PS384","jwk":KEY}"#, "proof_algorithm_not_allowed"),
        (#"{"typ":"dpop+jwt","alg":"ES256"}"#, "invalid_proof_key"), (#"{"typ":"dpop+jwt","alg":"ES256","jwk":"x"}"#, "invalid_proof_key"),
        (#"{"typ":"dpop+jwt","alg":"ES384","jwk":KEY}"#, "invalid_proof_key"),
        (#"{"typ":"dpop+jwt","alg":"RS256","jwk":KEY}"#, "invalid_proof_key"),
        (#"{"typ":"dpop+jwt","alg":"ES256","jwk":KEY,"crit":["x"],"x":1}"#, "malformed_proof"),
        (#"{"typ":"dpop+jwt","alg":"ES256","jwk":KEY,"crit":["b64"],"b64":false}"#, "malformed_proof"),
        (#"{"typ":"dpop+jwt","alg":"ES256","jwk":KEY,"zip":"DEF"}"#, "malformed_proof"),
        (#"{"typ":"dpop+jwt","alg":"ES256","jwk":KEY,"enc":"A128GCM"}"#, "malformed_proof"),
        (#"{"typ":"dpop+jwt","typ":"dpop+jwt","alg":"ES256","jwk":KEY}"#, "malformed_proof"),
    ])
    func aHeaderThatIsNotThatOfAProofIsRefused(header: String, code: String) {
        let forge = ProofForge.es256
        #expect(Self.verifier.code(forge.proof(header: header.replacing("KEY", with: forge.jwk))) == code)
    }

    @Test(arguments: [
        (#"{"typ":"dpop+jwt","alg":"ES256","jwk":KEY,"kid":"key-of-the-issuer"}"#), (#"{"jwk":KEY,"alg":"ES256","typ":"dpop\u002bjwt"}"#),
    ])
    func otherParametersOfTheHeaderAreNotLookedAt(header: String) {
        let forge = ProofForge.es256
        #expect(Self.verifier.code(forge.proof(header: header.replacing("KEY", with: forge.jwk))) == nil)
    }

    @Test(arguments: [
        "", "x", "a.b", "a..c", "..", "a.b.c.d", "a.b.c.d.e", "e30.e30.", "é.e30.e30", "eyJ0eXAiOiJkcG9wK2p3dCJ9\n.e30.e30",
    ])
    func whatIsNoTokenIsRefused(proof: String) {
        let code = Self.verifier.code(proof)
        #expect(code == "malformed_proof" || code == "proof_algorithm_not_allowed")
    }

    @Test
    func aSignatureByAnotherKeyOrOfAnotherProofIsRefused() {
        let mine = ProofForge.es256.proof(),
            theirs = ProofForge.other.proof(header: #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(ProofForge.es256.jwk)}"#)
        let parts = mine.split(separator: "."), other = ProofForge.es256.proof(ProofForge.claims(["jti": #""b""#])).split(separator: ".")
        #expect(Self.verifier.code(theirs) == "proof_signature_invalid")
        #expect(Self.verifier.code("\(parts[0]).\(parts[1]).\(other[2])") == "proof_signature_invalid")
        #expect(Self.verifier.code("\(parts[0]).\(other[1]).\(parts[2])") == "proof_signature_invalid")
        #expect(Self.verifier.code("\(parts[0]).\(parts[1]).") == "proof_signature_invalid")
    }

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .edDSA, .ed25519, .ed448, .ps256, .rs256])
    func eachAlgorithmOfThePolicyVerifies(algorithm: SignatureAlgorithm) {
        let forge = ProofForge(algorithm)
        for _ in 0..<3 { #expect(Self.verifier.code(forge.proof(), boundTo: forge.thumbprint) == nil) }
    }

    @Test
    func aPolicyNarrowsTheAlgorithmsAndNeverAllowsHMAC() {
        var policy = ProofPolicy()
        policy.algorithms = [.hs256, .es256]
        let verifier = ProofVerifier(policy: policy), secret = ProofForge(.hs256), rsa = ProofForge(.ps256)
        #expect(verifier.code(ProofForge.es256.proof()) == nil)
        #expect(verifier.code(rsa.proof(), boundTo: rsa.thumbprint) == "proof_algorithm_not_allowed")
        #expect(verifier.code(secret.proof()) == "proof_algorithm_not_allowed")
    }

    @Test
    func aProofForAnotherRequestTokenOrKeyIsRefused() {
        let proof = ProofForge.es256.proof()
        #expect(Self.verifier.code(proof, method: "POST") == "proof_method_mismatch")
        #expect(Self.verifier.code(proof, method: "") == "proof_method_mismatch")
        #expect(Self.verifier.code(proof, url: "https://other.example/orders") == "proof_url_mismatch")
        #expect(Self.verifier.code(proof, url: "http://api.example/orders") == "proof_url_mismatch")
        #expect(Self.verifier.code(proof, token: "header.payload.other") == "proof_token_mismatch")
        #expect(Self.verifier.code(proof, boundTo: ProofForge.other.thumbprint) == "proof_key_mismatch")
        #expect(Self.verifier.code(proof, now: 1_700_000_070) == "proof_too_old")
        #expect(Self.verifier.code(proof, now: 1_700_000_069) == nil)
        #expect(Self.verifier.code(proof, now: 1_699_999_989) == "proof_issued_in_future")
    }
}
