package import COpenSSL

/// A JWS algorithm (RFC 7518 section 3.1, RFC 8037, RFC 8812, RFC 9864, RFC 9964): one row of one table. The row holds every fact about the
/// algorithm; no other code checks its name.
public struct SignatureAlgorithm: Hashable, Sendable, BitwiseCopyable {
    /// The index in ``all``.
    let index: UInt8

    public static let rs256 = Self(index: 0)
    public static let rs384 = Self(index: 1)
    public static let rs512 = Self(index: 2)
    public static let ps256 = Self(index: 3)
    public static let ps384 = Self(index: 4)
    public static let ps512 = Self(index: 5)
    public static let es256 = Self(index: 6)
    public static let es384 = Self(index: 7)
    public static let es512 = Self(index: 8)
    public static let es256k = Self(index: 9)
    /// The polymorphic name of RFC 8037. The key decides: Ed25519 or Ed448.
    public static let edDSA = Self(index: 10)
    public static let ed25519 = Self(index: 11)
    public static let ed448 = Self(index: 12)
    public static let hs256 = Self(index: 13)
    public static let hs384 = Self(index: 14)
    public static let hs512 = Self(index: 15)
    public static let mlDSA44 = Self(index: 16)
    public static let mlDSA65 = Self(index: 17)
    public static let mlDSA87 = Self(index: 18)

    package struct Row: Sendable {
        package let name: StaticString
        package let type: KeyType
        /// The curves a key may have; both nil if the type has none. Only EdDSA has a second.
        package let curve: Curve?
        package let otherCurve: Curve?
        package let scheme: cossl_scheme
        package let digest: cossl_digest
        /// Bytes of a signature; zero if the key decides (RSA: its modulus; EdDSA: its curve).
        package let signatureLength: Int
        /// The minimum length of a shared secret in bytes (RFC 7518 section 3.2).
        package let secretLength: Int
    }

    private static let table: [Row] = [
        rsa("RS256", COSSL_SCHEME_RSA_PKCS1, COSSL_DIGEST_SHA256),
        rsa("RS384", COSSL_SCHEME_RSA_PKCS1, COSSL_DIGEST_SHA384),
        rsa("RS512", COSSL_SCHEME_RSA_PKCS1, COSSL_DIGEST_SHA512),
        rsa("PS256", COSSL_SCHEME_RSA_PSS, COSSL_DIGEST_SHA256),
        rsa("PS384", COSSL_SCHEME_RSA_PSS, COSSL_DIGEST_SHA384),
        rsa("PS512", COSSL_SCHEME_RSA_PSS, COSSL_DIGEST_SHA512),
        ecdsa("ES256", .p256, COSSL_DIGEST_SHA256, 64),
        ecdsa("ES384", .p384, COSSL_DIGEST_SHA384, 96),
        ecdsa("ES512", .p521, COSSL_DIGEST_SHA512, 132),
        ecdsa("ES256K", .secp256k1, COSSL_DIGEST_SHA256, 64),
        eddsa("EdDSA", .ed25519, or: .ed448, COSSL_DIGEST_NONE, 0),
        eddsa("Ed25519", .ed25519, COSSL_DIGEST_SHA512, 64),
        eddsa("Ed448", .ed448, COSSL_DIGEST_SHAKE256_114, 114),
        hmac("HS256", COSSL_DIGEST_SHA256, 32),
        hmac("HS384", COSSL_DIGEST_SHA384, 48),
        hmac("HS512", COSSL_DIGEST_SHA512, 64),
        mldsa("ML-DSA-44", .mlDSA44, 2420),
        mldsa("ML-DSA-65", .mlDSA65, 3309),
        mldsa("ML-DSA-87", .mlDSA87, 4627),
    ]

    package var row: Row { Self.table[Int(index)] }

    /// Every algorithm of the table, available here or not.
    public static var all: [Self] { table.indices.map { Self(index: UInt8($0)) } }

    /// The name in a header's `alg`.
    public var name: String { row.name.description }

    /// The algorithm with this name, compared exactly; nil for any other name, including `none`.
    public init?(name: String) { self.init(JSONString(name.utf8.span, isEscaped: false)) }

    init?(_ name: borrowing JSONString) {
        for index in Self.table.indices where name.equals(Self.table[index].name) {
            self.init(index: UInt8(index))
            return
        }
        return nil
    }

    private init(index: UInt8) { self.index = index }

    /// Whether the loaded libcrypto supports it: ML-DSA needs OpenSSL 3.5.
    public var isAvailable: Bool { Self.available.contains(self) }

    private static let available = AlgorithmSet(
        all.filter { algorithm in algorithm.row.curve.map { cossl_group_available($0.openssl) == 1 } ?? true })

    /// Whether it is an HMAC. A verifier with its key could also sign.
    public var isSymmetric: Bool { row.type == .oct }

    func fits(_ type: KeyType, _ curve: Curve?) -> Bool {
        guard row.type == type else { return false }
        return row.curve == curve || curve != nil && row.otherCurve == curve
    }
}

extension SignatureAlgorithm {
    private static func rsa(_ name: StaticString, _ scheme: cossl_scheme, _ digest: cossl_digest) -> Row {
        Row(
            name: name, type: .rsa, curve: nil, otherCurve: nil, scheme: scheme, digest: digest,
            signatureLength: 0, secretLength: 0)
    }

    private static func ecdsa(_ name: StaticString, _ curve: Curve, _ digest: cossl_digest, _ length: Int) -> Row {
        Row(
            name: name, type: .ec, curve: curve, otherCurve: nil, scheme: COSSL_SCHEME_ECDSA, digest: digest,
            signatureLength: length, secretLength: 0)
    }

    private static func eddsa(
        _ name: StaticString, _ curve: Curve, or otherCurve: Curve? = nil, _ digest: cossl_digest, _ length: Int
    ) -> Row {
        Row(
            name: name, type: .okp, curve: curve, otherCurve: otherCurve, scheme: COSSL_SCHEME_EDDSA, digest: digest,
            signatureLength: length, secretLength: 0)
    }

    private static func hmac(_ name: StaticString, _ digest: cossl_digest, _ length: Int) -> Row {
        Row(
            name: name, type: .oct, curve: nil, otherCurve: nil, scheme: COSSL_SCHEME_HMAC, digest: digest,
            signatureLength: length, secretLength: length)
    }

    private static func mldsa(_ name: StaticString, _ curve: Curve, _ length: Int) -> Row {
        Row(
            name: name, type: .akp, curve: curve, otherCurve: nil, scheme: COSSL_SCHEME_MLDSA, digest: COSSL_DIGEST_NONE,
            signatureLength: length, secretLength: 0)
    }
}

extension SignatureAlgorithm: CustomStringConvertible {
    public var description: String { name }
}
