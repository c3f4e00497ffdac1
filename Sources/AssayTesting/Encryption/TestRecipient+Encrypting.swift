internal import COpenSSL
internal import JWTCore
internal import JWTDecryption

// Making encrypted tokens.

extension TestRecipient {
    /// Encrypts a signed token to this recipient: a nested JWT (RFC 7519 section 5.2), with `cty: JWT`.
    ///
    /// - Parameters:
    ///   - token: the compact JWS.
    ///   - members: are put over `alg`, `enc`, `kid`, `epk` and `cty` of the header; nil takes a member away. `alg` and `enc` have no
    ///     effect on how the token is encrypted.
    /// - Throws: ``TestKeyError/encryption``; the errors of a value's encoding.
    public func encrypted(_ token: String, header members: [String: (any Encodable)?] = [:]) throws -> String {
        try encrypted(Array(token.utf8), header: members)
    }

    /// Encrypts any content.
    ///
    /// - Parameters:
    ///   - content: the bytes, even of no token.
    ///   - members: as in ``encrypted(_:header:)-(String,_)``.
    /// - Throws: ``TestKeyError/encryption``; the errors of a value's encoding.
    public func encrypted(_ content: [UInt8], header members: [String: (any Encodable)?] = [:]) throws -> String {
        let ephemeral = try ephemeralKey()
        var header = try ClaimMembers(["alg": algorithm.name, "enc": encryption.name, "kid": keyID, "cty": "JWT"])
        if let ephemeral { try header.merge(["epk": ephemeral.members]) }
        try header.merge(members)
        let (cek, encryptedKey) = try contentKey(ephemeral?.key, partyInfo: members)
        return try Self.sealed(content, header.json, encryptedKey, cek, encryption)
    }

    /// The header, the encrypted key, the vector, the ciphertext and the tag in base64url, with dots.
    private static func sealed(
        _ content: [UInt8], _ header: String, _ encryptedKey: [UInt8], _ cek: [UInt8], _ encryption: ContentEncryption
    ) throws(TestKeyError) -> String {
        let header = Base64URL.text(header.utf8), nonce = TestKey.random(encryption.nonceLength), context = Array(header.utf8)
        var ciphertext = [UInt8](repeating: 0, count: content.count + 16)
        var tag = [UInt8](repeating: 0, count: encryption.tagLength)
        var length = 0
        let isSealed = unsafe cek.withUnsafeBufferPointer { cek in
            unsafe nonce.withUnsafeBufferPointer { nonce in
                unsafe content.withUnsafeBufferPointer { content in
                    unsafe context.withUnsafeBufferPointer { context in
                        var input = unsafe cossl_content_input(
                            content: encryption.openssl, key: cek.baseAddress, nonce: nonce.baseAddress, in: content.baseAddress,
                            in_len: content.count, context: context.baseAddress, context_len: context.count)
                        return unsafe cossl_content_seal(&ciphertext, &length, &tag, &input) == 1
                    }
                }
            }
        }
        guard isSealed else { throw .encryption }
        let parts = [encryptedKey, nonce, Array(ciphertext.prefix(length)), tag].map { Base64URL.text($0) }
        return "\(header).\(parts.joined(separator: "."))"
    }

    /// A key pair for one token: its public part for the recipient and for the header.
    private func ephemeralKey() throws(TestKeyError) -> (key: EphemeralKey, members: [String: String])? {
        guard case .recipient(_, let curve?) = material else { return nil }
        guard let pair = RecipientKey.generate(curve.openssl, bits: 0), let x = pair.member("x") else { throw .encryption }
        var members = ["kty": curve.typeName, "crv": curve.rawValue, "x": Base64URL.text(x)]
        let y = pair.member("y") ?? []
        if !y.isEmpty { members["y"] = Base64URL.text(y) }
        return (EphemeralKey(curve, x: x, y: y), members)
    }

    /// The CEK and its encrypted form. The recipient agrees with the ephemeral key as the sender would with the recipient's: both get one
    /// secret.
    private func contentKey(
        _ ephemeral: EphemeralKey?, partyInfo members: [String: (any Encodable)?]
    ) throws -> (cek: [UInt8], encrypted: [UInt8]) {
        guard case .recipient(let key, _) = material else {
            guard case .secret(let secret) = material else { throw TestKeyError.encryption }
            return (secret, [])
        }
        let cek = TestKey.random(encryption.keyLength)
        guard let ephemeral else {
            guard let encrypted = key.encrypted(cek, usesSHA1: algorithm == .rsaOAEP) else { throw TestKeyError.encryption }
            return (cek, encrypted)
        }
        func party(_ name: String) -> [UInt8] { (members[name] as? String).flatMap { Base64URL.bytes($0) } ?? [] }
        let length = algorithm.wrappingKeyLength ?? encryption.keyLength
        let information = ConcatKDF.information(
            name: algorithm == .ecdhES ? encryption.name : algorithm.name, senderInfo: party("apu"), recipientInfo: party("apv"),
            keyBytes: length)
        var agreed = SecretBuffer(count: length)
        try key.agree(with: ephemeral, information, into: &agreed)
        let bytes = unsafe agreed.read { unsafe Array(UnsafeBufferPointer(start: $0, count: length)) }
        guard algorithm.wrappingKeyLength != nil else { return (bytes, []) }
        guard let wrapped = RecipientKey.wrapped(cek, with: bytes) else { throw TestKeyError.encryption }
        return (cek, wrapped)
    }
}
