import AssayTesting
import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// `assay verify --sd-jwt`.
@Suite struct PresentationCommandTests {
    private static let now: NumericDate = 1_700_000_100
    private static let binding = ["--kb-audience", "https://verifier.example", "--kb-nonce", "n-1"]

    private let folder: TemporaryFolder
    private let issuer: TestKey
    private let holder: TestKey
    private let credential: DisclosableToken
    private let verify: [String]

    init() throws {
        folder = try TemporaryFolder()
        issuer = try TestKey(.es256)
        holder = try TestKey(.es256, keyID: nil)
        credential = try issuer.disclosableToken(
            claims: ["iss": "https://idp.example", "exp": 1_700_003_600, "given_name": "Jane", "family_name": "Doe"],
            hiding: ["given_name", "family_name"], holder: holder)
        verify = [
            "verify", "--keys", try folder.write("keys.json", TestKey.jwks(of: [issuer])), "--issuer", "https://idp.example", "--sd-jwt",
            "--at", "1700000100",
        ]
    }

    private func bound(_ nonce: String = "n-1", at date: NumericDate = now) throws -> String {
        try credential.presentation(
            disclosing: ["given_name"], provenBy: holder, audience: "https://verifier.example", nonce: nonce, at: date)
    }

    /// The document of an outcome.
    private func document(_ arguments: [String], _ presentation: String, exits code: Int32) throws -> [String: Any] {
        let outcome = try Command.assay(verify + arguments + ["--json"], input: presentation + "\n", exits: code)
        return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test func theClaimsArePrintedWithWhatIsDisclosed() throws {
        let presentation = credential.presentation(disclosing: ["given_name"])
        let outcome = try Command.assay(verify, input: presentation, exits: 0)
        #expect(outcome.output.contains(#""given_name": "Jane""#))
        #expect(!outcome.output.contains("family_name") && !outcome.output.contains("_sd"))
        #expect(outcome.errors == "not checked: the audience (--audience)\n")
        #expect(try Command.assay(verify + [presentation], exits: 0).output == outcome.output)
    }

    @Test func keyBindingIsRequiredOrRefused() throws {
        let valid = try document(Self.binding + ["--type", "dc+sd-jwt"], bound(), exits: 0)
        let binding = valid["key_binding"] as? [String: Any], claims = valid["claims"] as? [String: Any]
        #expect(binding?["jkt"] as? String == (try holder.keySet.keys[0].thumbprint) && binding?["iat"] as? Int == 1_700_000_100)
        #expect(claims?["given_name"] as? String == "Jane" && valid["valid"] as? Bool == true)
        #expect(try document([], bound(), exits: 1)["code"] as? String == "unexpected_key_binding")
        let unbound = try document(Self.binding, credential.issued, exits: 1)
        #expect(unbound["code"] as? String == "missing_key_binding" && unbound["number"] as? Int == 782 && unbound["cause"] == nil)
        let other = try document(Self.binding, bound("n-2"), exits: 1)
        #expect(other["code"] as? String == "key_binding_refused" && other["cause"] as? String == "nonce_mismatch")
        let old = try document(Self.binding, bound(at: 1_600_000_000), exits: 1)
        #expect(old["cause"] as? String == "too_old" && old["cause_number"] as? Int == 505)
        let late = try document(Self.binding + ["--leeway", "0"], bound(at: 1_700_000_101), exits: 1)
        #expect(late["cause"] as? String == "issued_in_future")
    }

    @Test func aRefusalIsExplained() throws {
        let outcome = try Command.assay(verify + ["--require", "birthdate"], input: credential.issued, exits: 1)
        #expect(
            outcome.errors == """
                refused issuer_token_refused: missing_claim: a required claim is missing; the policy requires the claim "birthdate"

                """)
        let typed = try document(["--type", "vc+sd-jwt"], credential.issued, exits: 1)
        #expect(typed["cause"] as? String == "type_mismatch" && (typed["explanation"] as? String)?.contains(#""vc+sd-jwt""#) ?? false)
    }

    @Test func whatIsNoPresentationIsRefused() throws {
        #expect(try document([], credential.token, exits: 1)["code"] as? String == "malformed_presentation")
        #expect(try document([], String(repeating: "a", count: 70_000), exits: 1)["code"] as? String == "presentation_too_large")
        // A token may have 16 KiB, a presentation more.
        let long = try issuer.disclosableToken(
            claims: [
                "iss": "https://idp.example", "exp": 1_700_003_600, "a": String(repeating: "x", count: 8_000),
                "b": String(repeating: "y", count: 8_000),
            ],
            hiding: ["a", "b"])
        #expect(long.issued.utf8.count > 20_000)
        #expect(try document([], long.issued, exits: 0)["valid"] as? Bool == true)
    }

    @Test(arguments: [
        (["--kb-audience", "a"], "--kb-audience and --kb-nonce belong together"),
        (["--kb-nonce", "n"], "--kb-audience and --kb-nonce belong together"),
        (["--kb-audience", "", "--kb-nonce", "n"], "--kb-audience must not be empty"),
        (["--kb-audience", "a", "--kb-nonce", ""], "--kb-nonce must not be empty"),
        (["--no-claims"], "use either --no-claims or --sd-jwt"), (["--batch", "-"], "use either --batch or --sd-jwt"),
        (["--decryption-key", "k"], "use either --decryption-key or --sd-jwt"),
        (["--dpop-proof", "a.b.c", "--method", "GET", "--url", "https://a.example"], "use either --dpop-proof or --sd-jwt"),
    ])
    func mistakesAreUsage(arguments: [String], sentence: String) throws {
        #expect(try Command.assay(verify + arguments, exits: 2).errors.contains(sentence))
    }

    @Test func keyBindingNeedsAPresentation() throws {
        let outcome = try Command.assay(["verify", "--key", "k", "--kb-audience", "a", "--kb-nonce", "n", "t"], exits: 2)
        #expect(outcome.errors.contains("--kb-audience needs --sd-jwt"))
    }
}
