package import COpenSSL

/// A curve on which sender and recipient agree on a key: a JWK's `crv` (RFC 7518 section 6.2.1.1, RFC 8037 section 3.2).
public enum AgreementCurve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"
    case x25519 = "X25519"

    /// The JWK's `kty`.
    package var typeName: String { self == .x25519 ? "OKP" : "EC" }

    package var openssl: cossl_recipient {
        switch self {
        case .p256: COSSL_RECIPIENT_P256
        case .p384: COSSL_RECIPIENT_P384
        case .p521: COSSL_RECIPIENT_P521
        case .x25519: COSSL_RECIPIENT_X25519
        }
    }
}
