internal import COpenSSL

/// AJ-Captcha's obfuscation of a point: AES-128-ECB with the key that comes with the picture. An observer sees both, so it protects
/// nothing; tenants' servers require it.
public enum AJCaptcha {
    /// The ciphertext, padded (PKCS #7). Nil unless the key has 16 bytes.
    public static func encrypt(_ plaintext: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard key.count == 16 else { return nil }
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count + 16)
        var length = 0
        guard unsafe cossl_aes128_ecb_encrypt(&ciphertext, &length, key, plaintext, plaintext.count) == 1 else { return nil }
        return Array(ciphertext.prefix(length))
    }
}
