internal import COpenSSL
internal import JWTDecryption

// The sender's side. A recipient's key has the public part too.

extension RecipientKey {
    /// Nil where libcrypto makes no such key.
    static func generate(_ recipient: cossl_recipient, bits: Int) -> RecipientKey? {
        unsafe RecipientKey { unsafe cossl_decryption_key_generate($0, recipient, UInt32(clamping: bits)) }
    }

    /// A member of its private JWK (RFC 7518 section 6); nil for one that it does not have.
    func member(_ name: String) -> [UInt8]? {
        guard let place = Self.memberNames.firstIndex(of: name) else { return nil }
        var member = [UInt8](repeating: 0, count: 1_024)
        var length = 0
        let isThere =
            unsafe cossl_decryption_key_member(
                &member, &length, member.count, handle, cossl_member(rawValue: UInt32(place))) == 1
        return isThere ? Array(member.prefix(length)) : nil
    }

    func encrypted(_ cek: [UInt8], usesSHA1: Bool) -> [UInt8]? {
        var encrypted = [UInt8](repeating: 0, count: Int(COSSL_OAEP_MAX))
        var length = 0
        guard unsafe cossl_encrypt_cek(&encrypted, &length, handle, usesSHA1 ? 1 : 0, cek, cek.count) == 1 else { return nil }
        return Array(encrypted.prefix(length))
    }

    static func wrapped(_ cek: [UInt8], with key: [UInt8]) -> [UInt8]? {
        var wrapped = [UInt8](repeating: 0, count: cek.count + 8)
        return unsafe cossl_wrap_cek(&wrapped, key, key.count, cek, cek.count) == 1 ? wrapped : nil
    }
}
