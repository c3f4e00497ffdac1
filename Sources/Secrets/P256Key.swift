internal import COpenSSL

/// A private key on P-256 that signs for a device: ECDSA with SHA-256, signatures in DER (X9.62). Tokens are signed by JWTSigning.
public struct P256PrivateKey: Sendable {
    private let key: P256Key
    public let publicKey: P256PublicKey

    private init?(_ key: P256Key?) {
        guard let key, let publicKey = P256PublicKey(key) else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// Makes a new key; nil only where libcrypto fails.
    public static func generate() -> P256PrivateKey? { unsafe P256PrivateKey(P256Key { unsafe cossl_p256_key_generate($0) }) }

    /// Reads the format of ``privateDocument``, PKCS#8 in DER; nil for anything else.
    public static func importing(_ document: [UInt8]) -> P256PrivateKey? {
        unsafe P256PrivateKey(P256Key { unsafe cossl_p256_key_import_private($0, document, document.count) })
    }

    /// The private key in PKCS#8 DER (RFC 5958), unencrypted: store it privately, then wipe it with ``wipe(_:)``. Nil where memory is
    /// exhausted.
    public var privateDocument: [UInt8]? { key.privateDocument }

    /// The signature of `message` in DER; nil only where libcrypto fails.
    public func signature(of message: [UInt8]) -> [UInt8]? { key.signature(of: message) }
}

/// A public key on P-256 that verifies a device's signatures.
public struct P256PublicKey: Hashable, Sendable {
    private let key: P256Key
    /// SubjectPublicKeyInfo in DER (RFC 5480), with a named curve and an uncompressed point: 91 bytes. Each key has only this form.
    public let document: [UInt8]

    fileprivate init?(_ key: P256Key) {
        guard let document = key.publicDocument else { return nil }
        self.key = key
        self.document = document
    }

    /// Reads the format of ``document``.
    ///
    /// - Returns: nil for a point that is not on the curve, another curve, another encoding of the same key, and anything else.
    public init?(document: [UInt8]) {
        guard let key = unsafe P256Key({ unsafe cossl_p256_key_import_public($0, document, document.count) }) else { return nil }
        self.key = key
        self.document = document
    }

    /// Whether `signature`, in DER, is this key's signature of `message`.
    ///
    /// A valid signature has a second form (n - s), so a signature does not identify a request: consume the challenge.
    public func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.isValid(signature, of: message) }

    public static func == (a: Self, b: Self) -> Bool { a.document == b.document }

    public func hash(into hasher: inout Hasher) { hasher.combine(document) }
}

/// A P-256 key in libcrypto, private or public.
private final class P256Key: LibcryptoKey, @unchecked Sendable {
    var publicDocument: [UInt8]? {
        var document = [UInt8](repeating: 0, count: Int(COSSL_P256_PUBLIC_MAX))
        var length = 0
        guard unsafe cossl_p256_key_public_document(&document, &length, handle) == 1 else { return nil }
        return Array(document.prefix(length))
    }

    func signature(of message: [UInt8]) -> [UInt8]? {
        var signature = [UInt8](repeating: 0, count: Int(COSSL_P256_SIGNATURE_MAX))
        var length = 0
        guard unsafe cossl_p256_sign(&signature, &length, handle, message, message.count) == 1 else { return nil }
        return Array(signature.prefix(length))
    }

    func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        unsafe cossl_p256_verify(handle, message, message.count, signature, signature.count) == 1
    }
}
