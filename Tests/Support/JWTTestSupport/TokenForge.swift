public import JWTCore
public import JWTSigning

/// Keys made for one test run, and tokens signed with them, valid and invalid.
public struct TokenForge: Sendable {
    public let key: SigningKey
    public let signer: TokenSigner

    public init(_ algorithm: SignatureAlgorithm, keyID: String? = "test-key", bits: Int = 2048) {
        let key =
            algorithm.isSymmetric
            ? SigningKey.secret(Array(repeating: 0x5a, count: 64), algorithm: algorithm, keyID: keyID)
            : SigningKey.generate(algorithm, keyID: keyID, bits: bits)
        guard let key else { fatalError("libcrypto cannot make a key for \(algorithm)") }
        self.key = key
        self.signer = TokenSigner(key)
    }

    /// The public key as a JWK; for HMAC the secret.
    public var jwk: String {
        if let jwk = key.publicJWK { return jwk }
        let secret = String(decoding: Base64URL.encode(Array(repeating: 0x5a, count: 64)), as: UTF8.self)
        let keyID = key.keyID.map { ",\"kid\":\(JSONText.quoted($0))" } ?? ""
        return "{\"kty\":\"oct\",\"alg\":\"\(key.algorithm.name)\",\"k\":\"\(secret)\"\(keyID)}"
    }

    /// A set with only this key.
    public var keySet: KeySet { TokenForge.keySet([jwk]) }

    /// A set of JWKs given as text.
    public static func keySet(_ jwks: [String]) -> KeySet {
        do {
            return try KeySet(jwks: "{\"keys\":[\(jwks.joined(separator: ","))]}")
        } catch {
            fatalError("the test's own key set is refused: \(error)")
        }
    }

    /// A token with `payload`.
    public func token(_ payload: String = TokenForge.idToken, type: String? = "JWT") -> String {
        signer.token(payload: payload, type: type) ?? ""
    }

    /// A token with any header.
    public func token(header: String, payload: String = TokenForge.idToken) -> String {
        signer.token(header: header, payload: Array(payload.utf8)) ?? ""
    }

    /// An id_token's claims as providers send them; a complete RS256 token of them has about 640 bytes.
    public static let idToken = """
        {"iss":"https://idp.example","sub":"248289761001","aud":"client-1","exp":1700003600,"iat":1700000000,"auth_time":1699999990,\
        "nonce":"n-0S6_WzA2Mj","name":"Jane Doe"}
        """

    /// An instant at which ``idToken`` is valid.
    public static let now: NumericDate = 1_700_000_100
}
