import AssayTesting
import Foundation
import JWTCore
import JWTDecryption
import JWTTestSupport
import Testing

/// The shell lines and the settings of the pages about proofs, encrypted tokens and presentations, as they are written there.
@Suite struct PageCommandTests {
    private let folder: TemporaryFolder
    private let issuer: TestKey

    init() throws {
        folder = try TemporaryFolder()
        issuer = try TestKey(.es256)
        _ = try folder.write("jwks.json", TestKey.jwks(of: [issuer]))
    }

    /// The blocks of a language on a page.
    private static func blocks(_ language: String, of page: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(ConformanceFolder.repository)/Docs/\(page).md", encoding: .utf8)
        return text.split(separator: "```\(language)\n", omittingEmptySubsequences: false).dropFirst().map { block in
            String(block[..<(block.firstRange(of: "```")?.lowerBound ?? block.endIndex)])
        }
    }

    /// Runs a block in the folder of the test, with changes of its text.
    private func run(_ block: String, changing changes: [(String, String)] = [], exits code: Int32 = 0) throws -> Command.Outcome {
        var script = block.replacing("assay ", with: Command.line([]) + " ")
        for (old, new) in changes {
            #expect(script.contains(old))
            script = script.replacing(old, with: new)
        }
        return try Command.shell("cd \(Shell.quoted(folder.path))\n\(script)", exits: code)
    }

    private static var now: NumericDate { SystemClock().now }

    @Test func theLinesAboutProofsRun() throws {
        let blocks = try Self.blocks("sh", of: "DPoP"), client = try TestKey(.es256)
        try #require(blocks.count == 2)
        _ = try run(blocks[0])
        #expect(folder.bytes("dpop-secret").count == 32)
        let token = try issuer.token(claims: ["exp": Self.now.seconds + 600, "cnf": ["jkt": client.thumbprint]])
        _ = try folder.write("token.txt", token + "\n")
        func proof(for token: String) throws -> String {
            try client.proof(method: "GET", url: "https://api.example/orders", accessToken: token, issuedAt: Self.now)
        }
        _ = try folder.write("proof.txt", proof(for: token))
        #expect(try run(blocks[1]).errors.contains("not checked: whether the proof was used before (jti)"))
        _ = try folder.write("proof.txt", proof(for: "another"))
        #expect(try run(blocks[1], exits: 1).errors.contains("proof_token_mismatch"))
    }

    @Test func theSettingsOfProofsHaveNoFault() throws {
        let blocks = try Self.blocks("yaml", of: "DPoP")
        try #require(blocks.count == 1)
        _ = try folder.write("dpop-secret", String(repeating: "s", count: 32))
        let text = """
            listeners: [{name: edge, profile: nginx, tcp: "127.0.0.1:0"}]
            administration: {tcp: "127.0.0.1:0"}
            \(blocks[0])
            policies: [{name: orders, requires: main}]
            routes: [{policy: orders}]
            """
        let file = try folder.write("gateway.yaml", text)
        #expect(try Command.shell("chmod 600 \(folder.path)/dpop-secret", exits: 0).exitCode == 0)
        #expect(try Command.assay(["config", "check", file], exits: 0).output.contains("no faults"))
    }

    @Test func theLineAboutEncryptedTokensRuns() throws {
        let blocks = try Self.blocks("sh", of: "EncryptedTokens"), provider = try LoopbackProvider(), client = try TestRecipient(.ecdhES)
        try #require(blocks.count == 1)
        _ = try folder.write("client.jwk", client.privateJWK)
        #expect(try Command.shell("chmod 600 \(folder.path)/client.jwk", exits: 0).exitCode == 0)
        _ = try folder.write("token.txt", client.encrypted(provider.issuer.idToken()) + "\n")
        let here = [("https://idp.example", provider.issuer.identifier)]
        _ = try run(blocks[0], changing: here)
        _ = try folder.write("token.txt", provider.issuer.idToken() + "\n")
        #expect(try run(blocks[0], changing: here, exits: 1).errors.contains("unencrypted_token"))
    }

    @Test func theLineAboutPresentationsRuns() throws {
        let blocks = try Self.blocks("sh", of: "SelectiveDisclosure"), holder = try TestKey(.es256)
        try #require(blocks.count == 1)
        let credential = try issuer.disclosableToken(
            claims: ["iss": "https://idp.example", "exp": Self.now.seconds + 600, "given_name": "Jane"], hiding: ["given_name"],
            holder: holder)
        func show(_ nonce: String) throws {
            let text = try credential.presentation(
                disclosing: ["given_name"], provenBy: holder, audience: "https://verifier.example", nonce: nonce, at: Self.now)
            _ = try folder.write("presentation.txt", text + "\n")
        }
        try show("n-1")
        #expect(try run(blocks[0]).output.contains("\"Jane\""))
        try show("n-2")
        #expect(try run(blocks[0], exits: 1).errors.contains("key_binding_refused"))
    }

    /// Documents are no tokens, so the page has no command.
    @Test func thePageAboutDocumentsHasNoCommand() throws { #expect(try Self.blocks("sh", of: "SignedDocuments").isEmpty) }
}
