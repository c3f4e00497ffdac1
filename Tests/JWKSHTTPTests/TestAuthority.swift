#if HTTP
import HTTPGuard
import JWTTestSupport

/// Certificates that exist for one run of the tests, made by the openssl command.
final class TestAuthority: Sendable {
    /// Made once: every certificate that a test wants is there from the start.
    static let shared = Result { try TestAuthority() }

    private let folder: TemporaryFolder

    struct OpenSSLFailure: Error {}

    private init() throws {
        folder = try TemporaryFolder()
        try selfSigned("root", "basicConstraints=critical,CA:TRUE")
        try selfSigned("self-signed", "subjectAltName=DNS:localhost,DNS:idp.example,IP:127.0.0.1")
        try issued("good", names: "DNS:localhost,DNS:idp.example,IP:127.0.0.1")
        try issued("other-host", names: "DNS:other.example,IP:127.0.0.9")
        try issued("expired", names: "DNS:localhost,IP:127.0.0.1", days: -1)
        try issued("client", names: "DNS:client.example")
    }

    var root: PEM { certificate("root") }

    func certificate(_ name: String) -> PEM { .file("\(folder.path)/\(name).pem") }

    func key(_ name: String) -> PEM { .file("\(folder.path)/\(name).key") }

    func bytes(of certificate: String) -> [UInt8] { folder.bytes("\(certificate).pem") }

    func path(_ file: String) -> String { "\(folder.path)/\(file)" }

    /// The pin of a certificate, as the command line makes one.
    func pin(_ name: String) throws -> String {
        try openssl(
            "x509 -in \(name).pem -pubkey -noout | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | openssl base64 >\(name).pin")
        return String(folder.read("\(name).pin").prefix { $0 != "\n" })
    }

    private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

    private func selfSigned(_ name: String, _ fields: String) throws {
        try openssl("req -x509 \(Self.newKey) -keyout \(name).key -out \(name).pem -subj '/CN=\(name)' -days 2 -addext \(fields)")
    }

    private func issued(_ name: String, names: String, days: Int = 2) throws {
        _ = try folder.write("\(name).cnf", "subjectAltName=\(names)\n")
        try openssl("req \(Self.newKey) -keyout \(name).key -out \(name).csr -subj '/CN=\(name)'")
        try openssl(
            "x509 -req -in \(name).csr -CA root.pem -CAkey root.key -CAcreateserial -days \(days) -extfile \(name).cnf -out \(name).pem")
    }

    private func openssl(_ command: String) throws {
        guard Shell.run("cd \(Shell.quoted(folder.path)) && { openssl \(command); } 2>>openssl.log") == 0 else { throw OpenSSLFailure() }
    }
}
#endif
