internal import JWTCore

/// The members of a JWK with its private part: RFC 7518 section 6, RFC 8037 section 2.
struct PrivateJWK: Codable {
    var kty: String
    var alg: String?
    var kid: String?
    var use: String?
    var crv: String?
    var x: String?
    var y: String?
    var n: String?
    var e: String?
    var d: String?
    var p: String?
    var q: String?
    var dp: String?
    var dq: String?
    var qi: String?
    var k: String?

    /// The private members of an RSA key, in the order of RSAPrivateKey (RFC 8017 section A.1.2).
    static var rsaMembers: [WritableKeyPath<PrivateJWK, String?>] { [\.n, \.e, \.d, \.p, \.q, \.dp, \.dq, \.qi] }

    /// Whether both name the same public key.
    func hasSamePublicKey(as other: PrivateJWK) -> Bool {
        kty == other.kty && crv == other.crv && x == other.x && y == other.y && n == other.n && e == other.e
    }
}

extension Base64URL {
    static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: encode(bytes), as: UTF8.self) }

    /// The bytes of a member; nil if it is missing or no base64url.
    static func bytes(_ text: String?) -> [UInt8]? { text.flatMap { try? bytes($0.utf8.span) } }
}
