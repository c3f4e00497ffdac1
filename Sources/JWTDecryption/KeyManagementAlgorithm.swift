/// How the content encryption key (CEK) reaches the recipient: a header's `alg` (RFC 7518 section 4.1, RFC 8037 section 3.2).
///
/// RSA1_5 is not here: it has an oracle (RFC 8725 section 3.2). Nor is anything with a password (PBES2), whose cost the sender chooses.
public enum KeyManagementAlgorithm: String, Sendable, CaseIterable {
    /// RSAES-OAEP with SHA-1.
    case rsaOAEP = "RSA-OAEP"
    /// RSAES-OAEP with SHA-256.
    case rsaOAEP256 = "RSA-OAEP-256"
    /// The agreed key is the CEK.
    case ecdhES = "ECDH-ES"
    /// The agreed key wraps the CEK.
    case ecdhESA128KW = "ECDH-ES+A128KW"
    case ecdhESA256KW = "ECDH-ES+A256KW"
    /// The shared secret is the CEK.
    case direct = "dir"

    /// The name in a header.
    public var name: String { rawValue }

    /// Bytes of the key that wraps the CEK; nil where none does.
    package var wrappingKeyLength: Int? {
        switch self {
        case .ecdhESA128KW: 16
        case .ecdhESA256KW: 32
        case .rsaOAEP, .rsaOAEP256, .ecdhES, .direct: nil
        }
    }

    package static let rsa: Set<Self> = [.rsaOAEP, .rsaOAEP256]
    package static let agreement: Set<Self> = [.ecdhES, .ecdhESA128KW, .ecdhESA256KW]
}
