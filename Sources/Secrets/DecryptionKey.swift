internal import COpenSSL

/// A private RSA key for RSAES-OAEP with SHA-256 (RFC 8017 section 7.1).
public struct DecryptionKey: Sendable {
    private let key: OAEPKey
    /// The public key as a PEM block PUBLIC KEY (RFC 7468 section 13).
    public let publicPEM: String

    private init?(_ key: OAEPKey?) {
        guard let key, let publicPEM = key.publicPEM else { return nil }
        self.key = key
        self.publicPEM = publicPEM
    }

    /// Makes a new key with the exponent 65537.
    ///
    /// - Parameter bits: 2,048 to 8,192; any other number gives nil.
    public static func generate(bits: Int = 2048) -> DecryptionKey? {
        unsafe DecryptionKey(OAEPKey { unsafe cossl_oaep_key_generate($0, UInt32(clamping: bits)) })
    }

    /// Reads the format of ``privateDocument``, PKCS#8 in DER; nil for anything else, and for a key of less than 2,048 bits.
    public static func importing(_ document: [UInt8]) -> DecryptionKey? {
        unsafe DecryptionKey(OAEPKey { unsafe cossl_oaep_key_import_private($0, document, document.count) })
    }

    /// The private key in PKCS#8 DER (RFC 5958), unencrypted: seal it, then wipe it with ``wipe(_:)``. Nil where memory is exhausted.
    public var privateDocument: [UInt8]? { key.privateDocument }

    /// Decrypts a result of ``EncryptionKey/encrypt(_:mask:)`` for this key with the same mask.
    ///
    /// libcrypto checks the padding in constant time, and nil gives no reason. A caller that answers an untrusted peer must answer the same
    /// for nil and for an unreadable plaintext (RFC 8017 section 7.1.2).
    public func decrypt(_ ciphertext: [UInt8], mask: OAEPMask = .sha256) -> [UInt8]? { key.decrypt(ciphertext, mask) }
}
