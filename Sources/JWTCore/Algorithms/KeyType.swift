package import COpenSSL

/// A key type for signatures from the JSON Web Key registry: the JWK's `kty`.
public enum KeyType: String, Sendable, CaseIterable {
    case rsa = "RSA"
    case ec = "EC"
    case okp = "OKP"
    case oct = "oct"
    case akp = "AKP"

    package init?(_ type: cossl_kind) {
        switch type {
        case COSSL_KIND_RSA: self = .rsa
        case COSSL_KIND_EC: self = .ec
        case COSSL_KIND_OKP: self = .okp
        case COSSL_KIND_OCT: self = .oct
        case COSSL_KIND_AKP: self = .akp
        default: return nil
        }
    }
}

extension KeyType {
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
