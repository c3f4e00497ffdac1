internal import JWTCore
internal import JWTSigning

// The private key as a document, for keys that several runs of a test share.

extension TestKey {
    /// The largest document that ``init(privateJWK:)`` reads, in bytes.
    public static let maximumBytes = 65_536

    /// Reads a private JWK (RFC 7517 section 4, RFC 7518 section 6, RFC 8037 section 2) with an `alg`, as ``privateJWK`` writes it.
    ///
    /// - Throws: ``TestKeyError/notAPrivateJWK``; ``TestKeyError/mismatch`` if its public and its private part are not one key.
    public init(privateJWK document: String) throws(TestKeyError) {
        guard document.utf8.count <= Self.maximumBytes, let jwk = try? JSONTree.decode(PrivateJWK.self, from: Array(document.utf8)),
            let algorithm = jwk.alg.flatMap(SignatureAlgorithm.init(name:))
        else { throw .notAPrivateJWK }
        if algorithm.isSymmetric {
            guard jwk.kty == "oct", let secret = Base64URL.bytes(jwk.k) else { throw .notAPrivateJWK }
            try self.init(secret: secret, algorithm: algorithm, keyID: jwk.kid)
        } else {
            guard let document = PrivateKeyInfo.document(of: jwk),
                let signing = SigningKey.importing(document, algorithm: algorithm, keyID: jwk.kid)
            else { throw .notAPrivateJWK }
            self.init(signing, secret: nil)
            guard isOneKey(with: jwk) else { throw .mismatch }
        }
    }

    /// The private or shared key as a JWK. Keep it from everybody who must not sign.
    ///
    /// - Throws: ``TestKeyError/noPrivateJWK(_:)`` for ML-DSA.
    public var privateJWK: String {
        get throws(TestKeyError) {
            if let sharedJWK { return sharedJWK }
            guard let document = signing.privateDocument, var jwk = publicMembers, PrivateKeyInfo.read(document, into: &jwk) else {
                throw .noPrivateJWK(algorithm)
            }
            return try Self.text(jwk, of: algorithm)
        }
    }

    /// The JWK of an HMAC's secret; nil for another algorithm.
    var sharedJWK: String? {
        guard let secret else { return nil }
        let jwk = PrivateJWK(kty: "oct", alg: algorithm.name, kid: keyID, use: "sig", k: Base64URL.text(secret))
        return try? Self.text(jwk, of: algorithm)
    }

    var publicMembers: PrivateJWK? {
        publicJWK.flatMap { try? JSONTree.decode(PrivateJWK.self, from: Array($0.utf8)) }
    }

    private static func text(_ jwk: PrivateJWK, of algorithm: SignatureAlgorithm) throws(TestKeyError) -> String {
        guard let tree = try? JSONTree(encoding: jwk) else { throw .noPrivateJWK(algorithm) }
        return String(decoding: tree.json, as: UTF8.self)
    }

    /// Whether the public members are those of this key, and its signature passes under them. libcrypto does not compare the factors of an
    /// RSA key with its modulus.
    private func isOneKey(with jwk: PrivateJWK) -> Bool {
        guard let own = publicMembers, own.hasSamePublicKey(as: jwk), let token = try? token(payload: "{}"), let keys = try? keySet else {
            return false
        }
        var policy = ClaimsPolicy()
        policy.algorithms = [algorithm]
        let verifier = TokenVerifier(keys: keys, policy: policy)
        return (try? verifier.withVerifiedPayload(token) { _, _ in }) != nil
    }
}
