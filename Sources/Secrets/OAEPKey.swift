internal import COpenSSL

/// The digest within MGF1 (RFC 8017 appendix B.2.1). The digest of the label is SHA-256 with both.
public enum OAEPMask: Sendable {
    case sha256
    /// The default of Java's `OAEPWithSHA-256AndMGF1Padding` without explicit parameters.
    case sha1

    var openssl: cossl_mask {
        switch self {
        case .sha256: COSSL_MASK_SHA256
        case .sha1: COSSL_MASK_SHA1
        }
    }
}

/// An RSA key in libcrypto, for both ends of OAEP.
final class OAEPKey: LibcryptoKey, @unchecked Sendable {
    func encrypt(_ plaintext: [UInt8], _ mask: OAEPMask) -> [UInt8]? {
        var ciphertext = [UInt8](repeating: 0, count: Int(COSSL_OAEP_MAX))
        var length = 0
        guard unsafe cossl_oaep_encrypt(&ciphertext, &length, handle, mask.openssl, plaintext, plaintext.count) == 1 else { return nil }
        return Array(ciphertext.prefix(length))
    }

    func decrypt(_ ciphertext: [UInt8], _ mask: OAEPMask) -> [UInt8]? {
        var plaintext = [UInt8](repeating: 0, count: Int(COSSL_OAEP_MAX))
        defer { wipe(&plaintext) }
        var length = 0
        guard unsafe cossl_oaep_decrypt(&plaintext, &length, handle, mask.openssl, ciphertext, ciphertext.count) == 1 else { return nil }
        return Array(plaintext.prefix(length))
    }

    var publicPEM: String? {
        var text = [UInt8](repeating: 0, count: 2_048)
        var length = 0
        guard unsafe cossl_oaep_key_public_pem(&text, &length, text.count, handle) == 1 else { return nil }
        return String(decoding: text.prefix(length), as: UTF8.self)
    }
}
