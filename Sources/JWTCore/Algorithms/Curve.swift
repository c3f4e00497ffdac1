package import COpenSSL

/// A curve (the JWK's `crv`) or a parameter set (the `alg` of an AKP key).
public enum Curve: String, Sendable, CaseIterable, BitwiseCopyable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case secp256k1 = "secp256k1"
    case ed25519 = "Ed25519"
    case ed448 = "Ed448"
    case mlDSA44 = "ML-DSA-44"
    case mlDSA65 = "ML-DSA-65"
    case mlDSA87 = "ML-DSA-87"

    package var type: KeyType {
        switch self {
        case .p256, .p384, .p521, .secp256k1: .ec
        case .ed25519, .ed448: .okp
        case .mlDSA44, .mlDSA65, .mlDSA87: .akp
        }
    }

    /// The reported size: bits of the field, or of the AKP public key.
    var bits: Int {
        switch self {
        case .p256, .secp256k1, .ed25519: 256
        case .p384: 384
        case .p521: 521
        case .ed448: 456
        case .mlDSA44: 1312 * 8
        case .mlDSA65: 1952 * 8
        case .mlDSA87: 2592 * 8
        }
    }

    package var openssl: cossl_group {
        switch self {
        case .p256: COSSL_GROUP_P256
        case .p384: COSSL_GROUP_P384
        case .p521: COSSL_GROUP_P521
        case .secp256k1: COSSL_GROUP_SECP256K1
        case .ed25519: COSSL_GROUP_ED25519
        case .ed448: COSSL_GROUP_ED448
        case .mlDSA44: COSSL_GROUP_MLDSA44
        case .mlDSA65: COSSL_GROUP_MLDSA65
        case .mlDSA87: COSSL_GROUP_MLDSA87
        }
    }

    package init?(_ curve: cossl_group) {
        guard let match = Self.allCases.first(where: { $0.openssl == curve }) else { return nil }
        self = match
    }
}
