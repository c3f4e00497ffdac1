package import COpenSSL

/// A key type of the JSON Web Key registry that signatures are made with: the JWK's `kty`.
public enum KeyKind: String, Sendable, CaseIterable {
    case rsa = "RSA"
    case ec = "EC"
    case okp = "OKP"
    case oct = "oct"
    case akp = "AKP"

    package init?(_ kind: cossl_kind) {
        switch kind {
        case COSSL_KIND_RSA: self = .rsa
        case COSSL_KIND_EC: self = .ec
        case COSSL_KIND_OKP: self = .okp
        case COSSL_KIND_OCT: self = .oct
        case COSSL_KIND_AKP: self = .akp
        default: return nil
        }
    }
}

/// A curve (the JWK's `crv`) or parameter set (for AKP its `alg`).
public enum KeyGroup: String, Sendable, CaseIterable, BitwiseCopyable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case secp256k1 = "secp256k1"
    case ed25519 = "Ed25519"
    case ed448 = "Ed448"
    case mlDSA44 = "ML-DSA-44"
    case mlDSA65 = "ML-DSA-65"
    case mlDSA87 = "ML-DSA-87"

    package var kind: KeyKind {
        switch self {
        case .p256, .p384, .p521, .secp256k1: .ec
        case .ed25519, .ed448: .okp
        case .mlDSA44, .mlDSA65, .mlDSA87: .akp
        }
    }

    /// What is said of its size: bits of the field, or of the AKP public key.
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

    package init?(_ group: cossl_group) {
        guard let match = Self.allCases.first(where: { $0.openssl == group }) else { return nil }
        self = match
    }
}

extension KeyKind {
    package var openssl: cossl_kind {
        switch self {
        case .rsa: COSSL_KIND_RSA
        case .ec: COSSL_KIND_EC
        case .okp: COSSL_KIND_OKP
        case .oct: COSSL_KIND_OCT
        case .akp: COSSL_KIND_AKP
        }
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case of this name, byte for byte: `init(rawValue:)` would take the Kelvin sign for a K.
    init?(exactly name: String) {
        guard let match = Self.allCases.first(where: { $0.rawValue.isExactly(name) }) else { return nil }
        self = match
    }
}

extension String {
    /// Equality of the UTF-8, where `==` also equates different spellings of a character.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
