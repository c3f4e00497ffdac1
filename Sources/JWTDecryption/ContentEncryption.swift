package import COpenSSL

/// How the content is encrypted and authenticated: a header's `enc` (RFC 7518 section 5.1).
public enum ContentEncryption: String, Sendable, CaseIterable {
    case a128GCM = "A128GCM"
    case a256GCM = "A256GCM"
    case a128CBCHS256 = "A128CBC-HS256"
    case a256CBCHS512 = "A256CBC-HS512"

    /// The name in a header.
    public var name: String { rawValue }

    /// Bytes of the CEK.
    public var keyLength: Int { cossl_content_key_length(openssl) }
    /// Bytes of the initialization vector.
    package var nonceLength: Int { cossl_content_nonce_length(openssl) }
    /// Bytes of the authentication tag.
    package var tagLength: Int { cossl_content_tag_length(openssl) }

    package var openssl: cossl_content {
        switch self {
        case .a128GCM: COSSL_CONTENT_A128GCM
        case .a256GCM: COSSL_CONTENT_A256GCM
        case .a128CBCHS256: COSSL_CONTENT_A128CBC_HS256
        case .a256CBCHS512: COSSL_CONTENT_A256CBC_HS512
        }
    }
}
