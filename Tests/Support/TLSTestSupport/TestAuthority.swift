package import HTTPGuard
internal import JWTTestSupport

/// Certificates for one run of the tests, made by the openssl command and kept only in memory.
package struct TestAuthority: Sendable {
    /// Made once, with every certificate that a test needs.
    package static let shared = Result { try TestAuthority() }

    /// Certificates, keys and pins, by file name.
    private let files: [String: [UInt8]]

    package struct OpenSSLFailure: Error {}

    private init() throws {
        let workshop = Workshop(folder: try TemporaryFolder())
        try workshop.selfSigned("root", "basicConstraints=critical,CA:TRUE")
        try workshop.selfSigned("self-signed", "subjectAltName=DNS:localhost,DNS:idp.example,IP:127.0.0.1")
        try workshop.issued("good", "subjectAltName=DNS:localhost,DNS:idp.example,IP:127.0.0.1")
        try workshop.issued("other-host", "subjectAltName=DNS:other.example,IP:127.0.0.9")
        // It ends as it begins. OpenSSL 3.5 makes none that ends before.
        try workshop.issued("expired", "subjectAltName=DNS:localhost,IP:127.0.0.1", days: 0)
        try workshop.issued("localhost", "keyUsage=digitalSignature")
        try workshop.issued("wildcard", "subjectAltName=DNS:*.Tenant.Example,DNS:*.example,IP:127.0.0.1")
        try workshop.issued("client", "subjectAltName=DNS:client.example")
        try workshop.selfSigned("unknown", "basicConstraints=critical,CA:TRUE")
        try workshop.issued("stranger", "subjectAltName=IP:127.0.0.1", issuer: "unknown")
        for (name, key) in Self.otherKeys { try workshop.issued(name, "subjectAltName=IP:127.0.0.1", key: key) }
        let names =
            ["root", "self-signed", "good", "other-host", "expired", "localhost", "wildcard", "client", "stranger"]
            + Self.otherKeys.map(\.name)
        for name in names { try workshop.pinned(name) }
        let all = names.flatMap { ["\($0).pem", "\($0).key", "\($0).pin"] }
        files = Dictionary(uniqueKeysWithValues: all.map { ($0, workshop.folder.bytes($0)) })
    }

    private static let otherKeys: [(name: String, key: String)] = [
        ("rsa-1024", "-newkey rsa:1024 -nodes"), ("rsa-2047", "-newkey rsa:2047 -nodes"), ("rsa-2048", "-newkey rsa:2048 -nodes"),
        ("p384", "-newkey ec -pkeyopt ec_paramgen_curve:secp384r1 -nodes"),
    ]

    package var root: PEM { certificate("root") }

    package func certificate(_ name: String) -> PEM { .bytes(bytes("\(name).pem")) }

    package func key(_ name: String) -> PEM { .bytes(bytes("\(name).key")) }

    /// The pin of a certificate's key, computed on the command line.
    package func pin(_ name: String) -> String { String(decoding: bytes("\(name).pin").prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }

    /// The bytes of one of the files.
    package func bytes(_ file: String) -> [UInt8] { files[file] ?? [] }

    /// Runs the commands in a temporary folder of files.
    private struct Workshop {
        let folder: TemporaryFolder

        private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

        func selfSigned(_ name: String, _ fields: String) throws {
            try openssl("req -x509 \(Self.newKey) -keyout \(name).key -out \(name).pem -subj '/CN=\(name)' -days 2 -addext \(fields)")
        }

        func issued(_ name: String, _ fields: String, days: Int = 2, key: String = Self.newKey, issuer: String = "root") throws {
            _ = try folder.write("\(name).cnf", fields)
            try openssl("req \(key) -keyout \(name).key -out \(name).csr -subj '/CN=\(name)'")
            let issuer = "-CA \(issuer).pem -CAkey \(issuer).key -CAcreateserial -days \(days)"
            try openssl("x509 -req -in \(name).csr \(issuer) -extfile \(name).cnf -out \(name).pem")
        }

        func pinned(_ name: String) throws {
            let key = "x509 -in \(name).pem -pubkey -noout | openssl pkey -pubin -outform DER"
            try openssl("\(key) | openssl dgst -sha256 -binary | openssl base64 >\(name).pin")
        }

        private func openssl(_ command: String) throws {
            guard Shell.run("cd \(Shell.quoted(folder.path)) && { openssl \(command); } 2>>openssl.log") == 0 else {
                throw OpenSSLFailure()
            }
        }
    }
}
