public import JWTCore
internal import JWTSigning

/// A private or shared key for tests, which signs tokens.
///
/// ```swift
/// let key = try TestKey(.es256)
/// let token = try key.token(claims: ["iss": "https://idp.example", "aud": "client-1", "exp": 1_700_003_600])
/// let verifier = TokenVerifier(keys: try key.keySet, policy: ClaimsPolicy(issuer: "https://idp.example", audience: "client-1"))
/// ```
///
/// For tests alone: the private part can be read as ``privateJWK``, and nothing wipes it.
public struct TestKey: Sendable {
    public let algorithm: SignatureAlgorithm
    /// The `kid` of its tokens and its JWK; nil leaves it out.
    public let keyID: String?
    let signing: SigningKey
    /// The shared secret of an HMAC; nil for any other algorithm.
    let secret: [UInt8]?

    /// Makes a new key.
    ///
    /// - Parameters:
    ///   - algorithm: its algorithm; for an HMAC, the key is a secret as long as the hash.
    ///   - keyID: its `kid`.
    ///   - bits: the size of an RSA modulus. A verifier refuses fewer than 2048.
    /// - Throws: ``TestKeyError/unavailable(_:)`` if libcrypto has no such keys.
    public init(_ algorithm: SignatureAlgorithm, keyID: String? = "test-key", bits: Int = 2048) throws(TestKeyError) {
        if algorithm.isSymmetric {
            try self.init(secret: Self.random(algorithm.row.secretLength), algorithm: algorithm, keyID: keyID)
        } else {
            guard let signing = SigningKey.generate(algorithm, keyID: keyID, bits: bits) else { throw .unavailable(algorithm) }
            self.init(signing, secret: nil)
        }
    }

    /// The key of an HMAC with a given secret.
    ///
    /// - Throws: ``TestKeyError/weakSecret`` if it is shorter than the hash (RFC 7518 section 3.2), ``TestKeyError/unavailable(_:)`` if
    ///   `algorithm` is no HMAC.
    public init(secret: [UInt8], algorithm: SignatureAlgorithm, keyID: String? = "test-key") throws(TestKeyError) {
        guard algorithm.isSymmetric else { throw .unavailable(algorithm) }
        guard secret.count >= algorithm.row.secretLength else { throw .weakSecret }
        guard let signing = SigningKey.secret(secret, algorithm: algorithm, keyID: keyID) else { throw .unavailable(algorithm) }
        self.init(signing, secret: secret)
    }

    init(_ signing: SigningKey, secret: [UInt8]?) {
        algorithm = signing.algorithm
        keyID = signing.keyID
        self.signing = signing
        self.secret = secret
    }

    /// Random bytes of the system's generator.
    static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }
}

extension TestKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm and the `kid`, without any part of the key.
    public var description: String { "\(algorithm.name) key for tests\(keyID.map { ", kid \($0)" } ?? "")" }

    /// Without the key, which `dump` would show.
    public var customMirror: Mirror { Mirror(self, children: ["algorithm": algorithm.name, "keyID": keyID as Any]) }
}
