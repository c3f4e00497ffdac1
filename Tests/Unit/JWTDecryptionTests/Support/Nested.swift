import AssayTesting
import JWTCore
import JWTDecryption
import Testing

/// A signed token, recipients of every kind, and what becomes of a nested token.
enum Nested {
    static let now: NumericDate = 1_700_000_000
    static let signer = Result { try TestKey(.es256) }
    static let claims: [String: (any Encodable & Sendable)?] = [
        "iss": "https://idp.example", "sub": "jane", "aud": "client-1", "exp": 1_700_000_600, "iat": 1_700_000_000,
    ]

    static func token(_ changes: [String: (any Encodable)?] = [:]) throws -> String {
        try signer.get().token(claims: (claims as [String: (any Encodable)?]).merging(changes) { $1 })
    }

    /// Every key management algorithm with each of its kinds of keys. RSA keys have one modulus each: making it is slow.
    static let kinds: [Kind] =
        [
            Kind(.rsaOAEP), Kind(.rsaOAEP256), Kind(.direct),
        ]
        + [KeyManagementAlgorithm.ecdhES, .ecdhESA128KW, .ecdhESA256KW].flatMap { algorithm in
            AgreementCurve.allCases.map { Kind(algorithm, $0) }
        }

    struct Kind: Hashable, Sendable, CustomTestStringConvertible {
        let algorithm: KeyManagementAlgorithm
        let curve: AgreementCurve

        init(_ algorithm: KeyManagementAlgorithm, _ curve: AgreementCurve = .p256) {
            self.algorithm = algorithm
            self.curve = curve
        }

        var testDescription: String { "\(algorithm.name) \(curve.rawValue)" }
    }

    private static let rsa = Result {
        try [KeyManagementAlgorithm.rsaOAEP, .rsaOAEP256].map { algorithm in
            try Dictionary(uniqueKeysWithValues: ContentEncryption.allCases.map { ($0, try TestRecipient(algorithm, $0)) })
        }
    }

    static func recipient(_ kind: Kind, _ encryption: ContentEncryption = .a256GCM) throws -> TestRecipient {
        switch kind.algorithm {
        case .rsaOAEP: try #require(rsa.get()[0][encryption])
        case .rsaOAEP256: try #require(rsa.get()[1][encryption])
        default: try TestRecipient(kind.algorithm, encryption, curve: kind.curve)
        }
    }

    static func verifier(
        _ keys: [DecryptionKey], encryptions: Set<ContentEncryption> = Set(ContentEncryption.allCases), limits: DecryptionLimits = .standard
    ) throws -> NestedVerifier<KeySet> {
        let policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
        let verifier = TokenVerifier(keys: try signer.get().keySet, policy: policy)
        return NestedVerifier(decryptor: Decryptor(keys: keys, encryptions: encryptions, limits: limits), verifier: verifier)
    }

    /// "valid", or the name of the code.
    static func verdict(_ token: String, _ verifier: NestedVerifier<KeySet>) -> String {
        do throws(VerificationError) {
            return try verifier.verify(token, now: now).subject == "jane" ? "valid" : "another subject"
        } catch {
            return error.code.name
        }
    }

    static func verdict(_ token: String, _ recipients: TestRecipient...) throws -> String {
        verdict(token, try verifier(recipients.map { try $0.decryptionKey }))
    }
}

/// The five parts of an encrypted token, to be changed.
struct Parts {
    var all: [String]

    init(_ token: String) { all = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init) }

    var text: String { all.joined(separator: ".") }

    subscript(part: Int) -> [UInt8] {
        get { (try? Base64URL.bytes(all[part].utf8.span)) ?? [] }
        set { all[part] = String(decoding: Base64URL.encode(newValue), as: UTF8.self) }
    }

    func changing(_ part: Int, _ change: (inout [UInt8]) -> Void) -> String {
        var parts = self, bytes = self[part]
        change(&bytes)
        parts[part] = bytes
        return parts.text
    }

    /// With a header of this text.
    func header(_ json: String) -> String {
        var parts = self
        parts[0] = Array(json.utf8)
        return parts.text
    }

    var headerText: String { String(decoding: self[0], as: UTF8.self) }
}
