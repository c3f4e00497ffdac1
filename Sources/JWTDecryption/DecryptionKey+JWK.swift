internal import COpenSSL
public import JWTCore

extension DecryptionKey {
    /// Reads one private JWK (RFC 7517 section 4): RSA, EC and OKP with their private members, oct for `dir`.
    ///
    /// `alg` binds the key to one algorithm. A shared secret names its `enc` there, as in `"alg": "A256GCM"`; without it, or with
    /// `"alg": "dir"`, the length decides, except at 32 bytes, which fit two.
    ///
    /// - Throws: the codes of JSON; `invalid_key`, `weak_key`; `key_use_mismatch` for another `use` than `enc` and for `key_ops` without
    ///   decryption; `key_algorithm_mismatch` for an `alg` that is unknown here or does not fit.
    public convenience init(jwk document: Span<UInt8>) throws(VerificationError) {
        let key = try ParsedJSON.lend(document) { jwk throws(VerificationError) in try DecryptionKey(jwk) }
        self.init(key.material, keyID: key.keyID, algorithms: key.algorithms)
    }

    /// Reads one private JWK from an array of bytes.
    public convenience init(jwk document: [UInt8]) throws(VerificationError) { try self.init(jwk: document.span) }

    /// Reads one private JWK from text.
    public convenience init(jwk document: String) throws(VerificationError) { try self.init(jwk: document.utf8.span) }

    /// Reads every key of an operator's document: a JWK Set, a JWK, or one private key in PEM or DER.
    ///
    /// - Parameter document: JSON, PEM or DER.
    /// - Throws: as for one key, for the first key that is unusable: an operator's own file has no other keys; `too_many_members` beyond
    ///   32.
    public static func keys(in document: Span<UInt8>) throws(VerificationError) -> [DecryptionKey] {
        guard document.isJSONObject else { return [try DecryptionKey(importing: document)] }
        return try ParsedJSON.lend(document) { root throws(VerificationError) in
            guard let list = root["keys"] else { return [try DecryptionKey(root)] }
            guard list.isArray, list.count > 0 else { throw VerificationError(.invalidKey, because: "`keys` is not a list with a key") }
            guard list.count <= 32 else { throw VerificationError(.tooManyMembers) }
            var keys: [DecryptionKey] = []
            for position in 0..<list.count {
                if let jwk = list[position] { keys.append(try DecryptionKey(jwk)) }
            }
            return keys
        }
    }

    /// Reads every key of a document in an array of bytes.
    public static func keys(in document: [UInt8]) throws(VerificationError) -> [DecryptionKey] { try keys(in: document.span) }

    private convenience init(_ jwk: borrowing JSONValue) throws(VerificationError) {
        guard jwk.isObject, let type = jwk["kty"]?.word else {
            throw VerificationError(.invalidKey, because: "the document is not a JWK: it has no `kty`")
        }
        try Self.checkUse(jwk)
        let keyID = jwk["kid"]?.word
        guard jwk["kid"] == nil || keyID != nil, jwk["alg"] == nil || jwk["alg"]?.word != nil else {
            throw VerificationError(.invalidKey)
        }
        if type == "oct" {
            try self.init(secretOf: jwk, keyID)
        } else {
            try self.init(recipientOf: jwk, type, keyID)
        }
    }

    /// RFC 7517 sections 4.2 and 4.3: absent, or for decryption.
    private static func checkUse(_ jwk: borrowing JSONValue) throws(VerificationError) {
        let isForOther = jwk["use"] != nil && jwk["use"]?.word != "enc"
        let operations = ["decrypt", "unwrapKey", "deriveKey", "deriveBits"]
        guard !isForOther else { throw VerificationError(.keyUseMismatch) }
        guard let list = jwk["key_ops"] else { return }
        guard list.isArray, operations.contains(where: { list.contains($0) }) else { throw VerificationError(.keyUseMismatch) }
    }

    private convenience init(secretOf jwk: borrowing JSONValue, _ keyID: String?) throws(VerificationError) {
        guard var secret = jwk.bytes("k") else { throw VerificationError(.invalidKey) }
        defer { secret.wipe() }
        let fitting = ContentEncryption.allCases.filter { $0.keyLength == secret.count }
        if let name = jwk["alg"]?.word, name != "dir" {
            guard let encryption = ContentEncryption(rawValue: name) else { throw VerificationError(.keyAlgorithmMismatch) }
            try self.init(secret: secret, encryption: encryption, keyID: keyID)
        } else {
            guard let encryption = fitting.first else { throw VerificationError(secret.count < 16 ? .weakKey : .invalidKey) }
            guard fitting.count == 1 else {
                throw VerificationError(
                    .keyAlgorithmMismatch, because: "a secret of 32 bytes names its encryption: A256GCM or A128CBC-HS256 as `alg`")
            }
            try self.init(secret: secret, encryption: encryption, keyID: keyID)
        }
    }

    private convenience init(recipientOf jwk: borrowing JSONValue, _ type: String, _ keyID: String?) throws(VerificationError) {
        var algorithms: Set<KeyManagementAlgorithm>?
        if let name = jwk["alg"]?.word {
            guard let algorithm = KeyManagementAlgorithm(rawValue: name) else { throw VerificationError(.keyAlgorithmMismatch) }
            algorithms = [algorithm]
        }
        guard let recipient = Self.recipient(type, jwk["crv"]?.word) else {
            throw VerificationError(.invalidKey, because: "the JWK has no type and curve that decrypt here")
        }
        let isShort = recipient == COSSL_RECIPIENT_RSA && (jwk.bytes("n")?.drop { $0 == 0 }.count ?? 256) < 256
        guard !isShort else { throw VerificationError(.weakKey) }
        guard jwk["d"] != nil else { throw VerificationError(.invalidKey, because: "the JWK has no private part") }
        guard let key = RecipientKey(recipient, jwk) else {
            throw VerificationError(.invalidKey, because: "the members of the private JWK are malformed or are not those of one key")
        }
        try self.init(key, keyID, algorithms)
    }

    fileprivate static func recipient(_ type: String, _ curve: String?) -> cossl_recipient? {
        if type == "RSA" { return COSSL_RECIPIENT_RSA }
        return AgreementCurve.allCases.first { $0.typeName == type && $0.rawValue == curve }?.openssl
    }
}

extension RecipientKey {
    /// In the order of `cossl_member`.
    package static let memberNames = ["n", "e", "d", "p", "q", "dp", "dq", "qi", "x", "y"]

    /// Reads a private JWK of a curve. For tests of its operations.
    package convenience init?(jwk: String) {
        guard let document = try? ParsedJSON(Array(jwk.utf8)), let type = document.root["kty"]?.word,
            let recipient = DecryptionKey.recipient(type, document.root["crv"]?.word)
        else { return nil }
        self.init(recipient, document.root)
    }

    /// Nil unless the members that the type has are those of one key.
    fileprivate convenience init?(_ recipient: cossl_recipient, _ jwk: borrowing JSONValue) {
        var members: [UInt8] = [], lengths: [Int] = []
        // Room for all: an array that grows leaves its bytes behind.
        members.reserveCapacity(jwk.raw.count)
        for name in Self.memberNames {
            var member = jwk.bytes(name) ?? []
            members += member
            lengths.append(member.count)
            member.wipe()
        }
        defer { members.wipe() }
        unsafe self.init { unsafe cossl_decryption_key_new($0, recipient, members, lengths) }
    }
}

extension JSONValue {
    /// The text of a string, nil for anything else.
    fileprivate var word: String? { string?.string }

    /// The bytes of a base64url member; nil if it is missing, not a string or not strict base64url. No other copy of them remains.
    fileprivate func bytes(_ name: String) -> [UInt8]? {
        guard let text = self[name]?.string else { return nil }
        guard text.isEscaped else { return try? Base64URL.bytes(text.raw) }
        var plain = text.utf8
        defer { plain.wipe() }
        return try? Base64URL.bytes(plain.span)
    }
}

extension Span<UInt8> {
    /// Whether the first byte that is not JSON white space begins an object.
    fileprivate var isJSONObject: Bool {
        for index in 0..<count where ![0x20, 0x09, 0x0a, 0x0d].contains(self[index]) { return self[index] == UInt8(ascii: "{") }
        return false
    }
}
