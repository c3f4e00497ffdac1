import AssayTesting
import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// `assay verify` with the DPoP proof that comes with the token.
@Suite struct ProofCommandTests {
    private let folder: TemporaryFolder
    private let client: TestKey
    private let token: String
    private let proof: String
    private let verify: [String]
    private static let url = "https://api.example/orders"

    init() throws {
        folder = try TemporaryFolder()
        client = try TestKey(.es256)
        let server = try TestKey(.es256)
        token = try server.token(claims: ["exp": 1_700_003_600, "cnf": ["jkt": client.thumbprint]])
        proof = try client.proof(method: "GET", url: Self.url, accessToken: token, issuedAt: 1_700_000_100)
        let keys = try folder.write("keys.json", "{\"keys\":[\(server.publicJWK ?? "")]}")
        verify = ["verify", "--keys", keys, "--at", "1700000100"]
    }

    private func options(_ proof: String, _ method: String = "GET", _ url: String = ProofCommandTests.url) -> [String] {
        verify + ["--dpop-proof", proof, "--method", method, "--url", url]
    }

    @Test func aTokenWithItsProofIsValid() throws {
        let outcome = try Command.assay(options(proof) + [token], exits: 0)
        #expect(outcome.output.contains("\"jkt\"") && outcome.errors.contains("not checked: whether the proof was used before (jti)"))
        let file = try folder.write("proof", proof + "\n")
        #expect(try Command.assay(options(file) + [token]).exitCode == 0)
    }

    @Test func aProofForAnotherRequestIsRefused() throws {
        #expect(try Command.assay(options(proof, "POST") + [token], exits: 1).errors.contains("refused proof_method_mismatch"))
        #expect(try Command.assay(options(proof, "GET", Self.url + "/1") + [token], exits: 1).errors.contains("refused proof_url_mismatch"))
        #expect(try Command.assay(options("a.b.c") + [token], exits: 1).errors.contains("refused malformed_proof"))
        let json = try Command.assay(options(proof, "POST") + ["--json", token], exits: 1).output
        #expect(json.contains("\"number\":719"))
    }

    @Test func aTokenWithoutABindingIsRefused() throws {
        let server = try TestKey(.es256), keys = try folder.write("other.json", "{\"keys\":[\(server.publicJWK ?? "")]}")
        let token = try server.token(claims: ["exp": 1_700_003_600])
        let proof = try client.proof(method: "GET", url: Self.url, accessToken: token, issuedAt: 1_700_000_100)
        let arguments = [
            "verify", "--keys", keys, "--at", "1700000100", "--dpop-proof", proof, "--method", "GET", "--url", Self.url, token,
        ]
        #expect(try Command.assay(arguments, exits: 1).errors.contains("refused unbound_token"))
    }

    @Test func theOptionsStandTogether() throws {
        for arguments in [
            ["--dpop-proof", proof], ["--dpop-proof", proof, "--method", "GET"], ["--method", "GET"], ["--url", Self.url],
        ] {
            #expect(try Command.assay(verify + arguments + [token]).exitCode == 2)
        }
        #expect(try Command.assay(options(folder.path + "/none") + [token]).exitCode == 2)
        #expect(try Command.assay(["verify", "--keys", verify[2], "--no-claims"] + options(proof).dropFirst(5) + [token]).exitCode == 2)
        #expect(try Command.assay(options(proof) + ["--batch", "-"], input: token).exitCode == 2)
    }
}
