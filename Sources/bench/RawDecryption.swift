import COpenSSL
import JWTCore
import JWTDecryption

/// libcrypto's operations on an encrypted token whose parts were decoded before: recovering the CEK, and opening the content.
struct RawDecryption: Sendable {
    private let key: RecipientKey?
    private let secret: [UInt8]
    private let encryption: ContentEncryption
    private let context: [UInt8]
    /// Encrypted key, vector, ciphertext and tag.
    private let parts: [[UInt8]]
    private let ephemeral: (x: [UInt8], y: [UInt8])?
    private let information: [UInt8]

    /// - Parameters:
    ///   - token: a token of the recipient with one of RSA-OAEP-256, ECDH-ES and `dir`.
    ///   - privateJWK: the recipient's key.
    init?(_ token: String, privateJWK: String, _ encryption: ContentEncryption) {
        let texts = token.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let parts = texts.compactMap { try? Base64URL.bytes($0.span) }
        guard parts.count == 5, let header = try? JSONTree(parsing: parts[0]), let jwk = try? JSONTree(parsing: Array(privateJWK.utf8))
        else {
            return nil
        }
        func bytes(_ text: String?) -> [UInt8] { text.flatMap { try? Base64URL.bytes($0.utf8.span) } ?? [] }
        key = RecipientKey(jwk: privateJWK)
        secret = bytes(jwk["k"]?.text)
        self.encryption = encryption
        context = texts[0]
        self.parts = Array(parts.dropFirst())
        ephemeral = header["epk"].map { (bytes($0["x"]?.text), bytes($0["y"]?.text)) }
        information = ConcatKDF.information(name: encryption.name, senderInfo: [], recipientInfo: [], keyBytes: encryption.keyLength)
    }

    func opens(_ ordinal: Int) -> Bool {
        var cek = secret
        if let key {
            cek = [UInt8](repeating: 0, count: encryption.keyLength)
            guard unsafe recovers(&cek, key.handle) else { return false }
        }
        return opens(with: cek)
    }

    private func recovers(_ cek: inout [UInt8], _ key: OpaquePointer) -> Bool {
        guard let ephemeral else {
            return unsafe cossl_decrypt_cek(&cek, cek.count, key, 0, parts[0], parts[0].count) == 1
        }
        var shared = [UInt8](repeating: 0, count: Int(COSSL_AGREED_MAX)), length = 0
        guard unsafe cossl_agree(&shared, &length, key, ephemeral.x, ephemeral.x.count, ephemeral.y, ephemeral.y.count) == 1 else {
            return false
        }
        let first = [0, 0, 0, 1] + shared.prefix(length)
        return unsafe cossl_digest_pieces(&cek, COSSL_DIGEST_SHA256, first, first.count, information, information.count) == 1
    }

    private func opens(with cek: [UInt8]) -> Bool {
        var content = [UInt8](repeating: 0, count: parts[2].count), length = 0
        return unsafe cek.withUnsafeBufferPointer { cek in
            unsafe parts[1].withUnsafeBufferPointer { nonce in
                unsafe parts[2].withUnsafeBufferPointer { ciphertext in
                    unsafe context.withUnsafeBufferPointer { context in
                        var input = unsafe cossl_content_input(
                            content: encryption.openssl, key: cek.baseAddress, nonce: nonce.baseAddress, in: ciphertext.baseAddress,
                            in_len: ciphertext.count, context: context.baseAddress, context_len: context.count)
                        return unsafe cossl_content_open(&content, &length, &input, parts[3]) == 1
                    }
                }
            }
        }
    }
}
