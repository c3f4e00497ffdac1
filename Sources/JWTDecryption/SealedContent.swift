internal import COpenSSL
internal import JWTCore

/// An encrypted token's parts behind the header, decoded, with the lengths that its algorithms give them.
struct SealedContent: ~Escapable {
    private let encryptedKey: [UInt8]
    private let nonce: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]
    /// The header as it was sent, which the tag covers.
    private let context: Span<UInt8>

    /// - Throws: `invalid_base64url`; `malformed_token` with the offset of a part that cannot be one: an encrypted key where the algorithm
    ///   has none (RFC 7516 section 5.2, step 10), none where it has one, a vector or a tag of another length.
    @_lifetime(copy parts)
    init(_ parts: EncryptedToken, _ header: borrowing EncryptionHeader) throws(VerificationError) {
        encryptedKey = try parts.decodedKey()
        nonce = try parts.decodedNonce()
        ciphertext = try parts.decodedCiphertext()
        tag = try parts.decodedTag()
        context = parts.header
        let hasNoKey = header.algorithm == .direct || header.algorithm == .ecdhES
        guard encryptedKey.isEmpty == hasNoKey, encryptedKey.count <= Int(COSSL_OAEP_MAX) else {
            throw VerificationError(.malformedToken, at: parts.keyOffset)
        }
        guard nonce.count == header.encryption.nonceLength else { throw VerificationError(.malformedToken, at: parts.nonceOffset) }
        guard tag.count == header.encryption.tagLength else { throw VerificationError(.malformedToken, at: parts.tagOffset) }
    }

    /// The content; nil if `key` does not open it, for whatever reason.
    ///
    /// - Throws: `invalid_ephemeral_key`, which depends on no secret.
    func opened(with key: DecryptionKey, _ header: borrowing EncryptionHeader) throws(VerificationError) -> [UInt8]? {
        switch key.material {
        case .secret(let secret, _): return unsafe secret.read { unsafe opened(with: $0, header.encryption) }
        case .recipient(let recipient):
            var cek = SecretBuffer(count: header.encryption.keyLength)
            guard try recover(&cek, with: recipient, header) else { return nil }
            return unsafe cek.read { unsafe opened(with: $0, header.encryption) }
        }
    }

    /// Whether there is a CEK to try, which may be a substitute. False only where lengths do not fit, which the sender knows.
    private func recover(
        _ cek: inout SecretBuffer, with key: RecipientKey, _ header: borrowing EncryptionHeader
    ) throws(VerificationError) -> Bool {
        guard let ephemeral = header.ephemeralKey else {
            return key.decrypt(encryptedKey, usesSHA1: header.algorithm == .rsaOAEP, into: &cek)
        }
        guard let length = header.algorithm.wrappingKeyLength else {
            try key.agree(with: ephemeral, header.information, into: &cek)
            return true
        }
        var wrappingKey = SecretBuffer(count: length)
        try key.agree(with: ephemeral, header.information, into: &wrappingKey)
        return key.unwrap(encryptedKey, with: wrappingKey, into: &cek)
    }

    @unsafe
    private func opened(with cek: UnsafePointer<UInt8>, _ encryption: ContentEncryption) -> [UInt8]? {
        var isOpen = false
        let content = unsafe [UInt8](unsafeUninitializedCapacity: ciphertext.count) { content, count in
            unsafe nonce.withUnsafeBufferPointer { nonce in
                unsafe ciphertext.withUnsafeBufferPointer { ciphertext in
                    unsafe context.withUnsafeBufferPointer { context in
                        var input = unsafe cossl_content_input(
                            content: encryption.openssl, key: cek, nonce: nonce.baseAddress, in: ciphertext.baseAddress,
                            in_len: ciphertext.count, context: context.baseAddress, context_len: context.count)
                        isOpen = unsafe cossl_content_open(content.baseAddress, &count, &input, tag) == 1
                    }
                }
            }
        }
        return isOpen ? content : nil
    }
}
