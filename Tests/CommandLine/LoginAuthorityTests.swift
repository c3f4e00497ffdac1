import Foundation
import JWTTestSupport
import Testing

/// `assay login --ca-file`: a tenant whose certificate is of an authority that the system does not know.
@Suite struct LoginAuthorityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func anAuthorityOfTheUsersOwnIsTrusted() throws {
        let path = folder.path
        _ = try Command.shell(
            """
            cd \(path)
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=tenant -keyout tenant.key -out tenant.csr
            printf 'subjectAltName=IP:127.0.0.1\\n' >extensions
            openssl x509 -req -in tenant.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out tenant.pem
            """, exits: 0)
        let server = try RunningCommand([
            "idaas", "serve", "--dev", "--listen", "127.0.0.1:0", "--db", "\(path)/idaas.sqlite", "--client", "demo", "--tls-cert",
            "\(path)/tenant.pem", "--tls-key", "\(path)/tenant.key",
        ])
        let url = try #require(try server.line(containing: "ready").split(separator: " ").dropFirst().first.map(String.init))
        #expect(url.hasPrefix("https://127.0.0.1:"))
        let login = [
            "login", "sms", "--domain", url, "--client", "demo", "--store", "\(path)/store", "--mobile", "13800000000", "--code", "000000",
        ]
        // No code was sent, so the server refuses the login. Without its authority nothing is sent to it.
        let trusted = try answer(login + ["--ca-file", "\(path)/ca.pem"])
        let untrusted = try answer(login)
        #expect(trusted.errors.contains("IDAAS.SDK.SMS.1005: "), "\(trusted.errors)")
        #expect(untrusted.errors.contains("cannot be reached (tls)"), "\(untrusted.errors)")
        let key = try Command.assay(login + ["--ca-file", "\(path)/tenant.key"], exits: 2)
        #expect(key.errors.contains("cannot be read as certificates in PEM"))
    }

    /// The outcome of a login that is refused; it is repeated while a busy machine takes longer than the command waits.
    private func answer(_ login: [String]) throws -> Command.Outcome {
        var outcome = try Command.assay(login, exits: 1)
        for _ in 0..<10 where outcome.errors.contains("timed_out") { outcome = try Command.assay(login, exits: 1) }
        return outcome
    }
}
