import DPoP
import JWTCore
import Testing

/// The limits of a proof, before any signature.
struct ProofLimitTests {
    private static let verifier = ProofVerifier()

    private static func code(_ claims: [String: String?]) -> String? {
        verifier.code(ProofForge.es256.proof(ProofForge.claims(claims)))
    }

    @Test
    func aProofBeyondItsSizeIsRefused() {
        let filler = String(repeating: "a", count: 5_000)
        #expect(Self.code(["x": "\"\(filler)\""]) == nil)
        #expect(Self.code(["x": "\"\(filler + filler)\""]) == "proof_too_large")
        #expect(Self.verifier.code(String(repeating: "a", count: 1 << 20)) == "proof_too_large")
    }

    @Test
    func aHeaderBeyondItsSizeIsRefused() {
        let forge = ProofForge.es256, filler = String(repeating: "a", count: 4_000)
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(forge.jwk),"x":"\#(filler)"}"#
        #expect(Self.verifier.code(forge.proof(header: header)) == "proof_too_large")
    }

    @Test(arguments: [(256, nil), (257, "proof_too_large")])
    func jtiHasALimit(count: Int, code: String?) {
        #expect(Self.code(["jti": "\"" + String(repeating: "j", count: count) + "\""]) == code)
    }

    @Test
    func membersAndNestingHaveLimits() {
        let many = "{" + (0..<33).map { "\"m\($0)\":0" }.joined(separator: ",") + "}"
        #expect(Self.code(["x": many]) == "proof_too_large")
        #expect(Self.code(["x": "[[[0]]]"]) == nil)
        #expect(Self.code(["x": "[[[[0]]]]"]) == "proof_too_large")
        #expect(Self.code(["x": "[" + String(repeating: "0,", count: 80) + "0]"]) == "proof_too_large")
    }

    @Test
    func aProofIsStrictJSON() {
        for claims in ["[]", "7", "{", #"{"jti":"a","jti":"a"}"#, "{\"jti\":\"\u{1}\"}", "{}x"] {
            #expect(Self.verifier.code(ProofForge.es256.proof(claims)) == "malformed_proof", "\(claims)")
        }
    }
}
