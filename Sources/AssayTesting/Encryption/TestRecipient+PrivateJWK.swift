internal import JWTCore
public import JWTDecryption

// A recipient that several runs of a test share.

extension TestRecipient {
    /// Reads a private JWK with an `alg`, as ``privateJWK`` writes it.
    ///
    /// - Parameters:
    ///   - document: the JWK.
    ///   - encryption: the encryption of its tokens. That of a shared secret is its `alg`.
    /// - Throws: ``TestKeyError/notAPrivateJWK`` for what `DecryptionKey` refuses, and for a JWK without an `alg`.
    public init(privateJWK document: String, encryption: ContentEncryption = .a256GCM) throws(TestKeyError) {
        guard (try? DecryptionKey(jwk: document)) != nil, let jwk = try? JSONTree.decode(PrivateJWK.self, from: Array(document.utf8)),
            let name = jwk.alg
        else { throw .notAPrivateJWK }
        if let secret = Base64URL.bytes(jwk.k) {
            guard let encryption = ContentEncryption(rawValue: name) else { throw .notAPrivateJWK }
            self.init(.direct, encryption, jwk.kid, .secret(secret))
        } else {
            guard let algorithm = KeyManagementAlgorithm(rawValue: name), let key = RecipientKey(jwk: document)
            else { throw .notAPrivateJWK }
            self.init(algorithm, encryption, jwk.kid, .recipient(key, jwk.crv.flatMap(AgreementCurve.init(rawValue:))))
        }
    }

    private init(_ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption, _ keyID: String?, _ material: Material) {
        self.algorithm = algorithm
        self.encryption = encryption
        self.keyID = keyID
        self.material = material
    }
}
