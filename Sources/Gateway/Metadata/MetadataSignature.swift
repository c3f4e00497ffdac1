public import JWTCore
internal import JWTSigning

/// Signs the metadata of a protected resource (RFC 9728 section 2.2), with a key of the operator's.
public struct MetadataSignature: Sendable {
    /// `iss`: who vouches for the metadata. Nil: the resource itself.
    public var issuer: String?
    private let key: SigningKey

    /// Nil for what is no private key for the algorithm.
    ///
    /// - Parameters:
    ///   - privateKey: PEM or DER.
    ///   - algorithm: for public keys.
    ///   - keyID: the `kid` of the header; nil leaves it out.
    ///   - issuer: `iss`; nil: the identifier of the resource.
    public init?(privateKey: [UInt8], algorithm: SignatureAlgorithm, keyID: String? = nil, issuer: String? = nil) {
        guard !algorithm.isSymmetric, let key = SigningKey.importing(privateKey, algorithm: algorithm, keyID: keyID),
            // A key of another kind or curve is found before a client finds it.
            let document = key.publicJWK, let keys = try? KeySet(document: document), key.fits(keys)
        else { return nil }
        self.key = key
        self.issuer = issuer
    }

    /// The value of `signed_metadata`; nil where libcrypto refuses to sign.
    ///
    /// - Parameters:
    ///   - members: the metadata.
    ///   - resource: the identifier of the resource.
    ///   - now: `iat`.
    func token(of members: [String: JSONTree], for resource: String, at now: NumericDate) -> String? {
        var claims = members
        claims["iss"] = .string(issuer ?? resource)
        claims["iat"] = .number("\(now.seconds)")
        return TokenSigner(key).token(payload: String(decoding: JSONTree.object(claims).json, as: UTF8.self))
    }
}

extension SigningKey {
    /// Whether a verifier with these keys takes what it signs.
    fileprivate func fits(_ keys: KeySet) -> Bool {
        var policy = ClaimsPolicy()
        policy.issuers = ["self"]
        policy.algorithms = [algorithm]
        policy.requiredClaims = []
        guard let token = TokenSigner(self).token(payload: #"{"iss":"self","exp":4102444800}"#) else { return false }
        return (try? TokenVerifier(keys: keys, policy: policy).verify(token)) != nil
    }
}
