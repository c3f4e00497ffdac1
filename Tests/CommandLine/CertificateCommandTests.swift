import AssayTesting
import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// `assay verify` with the certificate of the client that sent the token.
@Suite struct CertificateCommandTests {
    private let folder: TemporaryFolder
    private let server: TestKey
    private let key: TestKey
    private let client: TestCertificate
    private let token: String
    private let verify: [String]

    init() throws {
        folder = try TemporaryFolder()
        server = try TestKey(.es256)
        key = try TestKey(.es256)
        client = try TestCertificate(key: key)
        token = try server.token(claims: ["exp": 1_700_003_600, "cnf": client.confirmation])
        verify = ["verify", "--keys", try folder.write("keys.json", "{\"keys\":[\(server.publicJWK ?? "")]}"), "--at", "1700000100"]
    }

    private func options(_ text: String) throws -> [String] {
        verify + ["--certificate", try folder.write("certificate.pem", text)]
    }

    @Test func aTokenWithItsCertificateIsValid() throws {
        #expect(try Command.assay(options(client.pem) + [token], exits: 0).output.contains("x5t#S256"))
        let around = "subject=CN = client\n" + client.pem.replacing("\n", with: "\r\n")
        #expect(try Command.assay(options(around) + [token], exits: 0).exitCode == 0)
        let file = URL(fileURLWithPath: folder.path).appendingPathComponent("certificate.der")
        try Data(client.der).write(to: file)
        #expect(try Command.assay(verify + ["--certificate", file.path, token], exits: 0).exitCode == 0)
    }

    @Test func anotherCertificateIsRefused() throws {
        let other = try TestCertificate(key: TestKey(.edDSA))
        #expect(try Command.assay(options(other.pem) + [token], exits: 1).errors.contains("refused certificate_mismatch"))
        let json = try Command.assay(options(other.pem) + ["--json", token], exits: 1).output
        #expect(json.contains("\"number\":753"))
    }

    @Test func aTokenThatIsBoundOtherwiseIsRefused() throws {
        let unbound = try server.token(claims: ["exp": 1_700_003_600])
        #expect(try Command.assay(options(client.pem) + [unbound], exits: 1).errors.contains("refused not_certificate_bound"))
        let both = try server.token(
            claims: ["exp": 1_700_003_600, "cnf": ["x5t#S256": client.thumbprint, "jkt": try key.thumbprint]])
        #expect(try Command.assay(options(client.pem) + [both], exits: 1).errors.contains("refused unsupported_confirmation"))
        let url = "https://api.example/orders"
        let proof = try key.proof(method: "GET", url: url, accessToken: both, issuedAt: 1_700_000_100)
        let shown = ["--dpop-proof", proof, "--method", "GET", "--url", url]
        #expect(try Command.assay(verify + shown + [both], exits: 1).errors.contains("refused unsupported_confirmation"))
        #expect(try Command.assay(options(client.pem) + shown + [both], exits: 0).exitCode == 0)
    }

    @Test func whatIsNoCertificateIsWrongUsage() throws {
        for text in ["", "x", client.pem + client.pem, String(client.pem.dropLast(40)), key.publicPEM ?? "", "0" + client.pem] {
            #expect(try Command.assay(options(text) + [token]).exitCode == 2, "\(text.prefix(30))")
        }
        #expect(try Command.assay(verify + ["--certificate", folder.path + "/none", token]).exitCode == 2)
        #expect(try Command.assay(options(client.pem) + ["--batch", "-"], input: token).exitCode == 2)
        #expect(
            try Command.assay(["verify", "--keys", verify[2], "--no-claims"] + options(client.pem).dropFirst(5) + [token]).exitCode == 2)
    }
}
