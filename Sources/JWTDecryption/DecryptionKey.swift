internal import COpenSSL
public import JWTCore

/// A private key or a shared secret that decrypts tokens. Immutable; usable from any thread.
///
/// The operator supplies it; nothing in a token chooses it but by its name. Each key is for a fixed set of algorithms, so that a token
/// cannot use it in another way (RFC 8725 section 3.1).
public final class DecryptionKey: Sendable {
    /// `kid`, the key's name. A token with a `kid` is decrypted only with keys of exactly that name, or by keys without one.
    public let keyID: String?
    /// The algorithms that it is for.
    public let algorithms: Set<KeyManagementAlgorithm>
    let material: Material

    enum Material: Sendable {
        case recipient(RecipientKey)
        /// The CEK of `dir`, for one encryption.
        case secret(SharedSecret, ContentEncryption)
    }

    init(_ material: Material, keyID: String?, algorithms: Set<KeyManagementAlgorithm>) {
        self.material = material
        self.keyID = keyID
        self.algorithms = algorithms
    }

    /// A shared secret for `dir` with one encryption.
    ///
    /// - Parameters:
    ///   - secret: as many bytes as the encryption's ``ContentEncryption/keyLength``.
    ///   - encryption: the only `enc` that it is for.
    ///   - keyID: the name to give the key.
    /// - Throws: `weak_key` for a shorter secret, `invalid_key` for a longer one.
    public convenience init(
        secret: [UInt8], encryption: ContentEncryption, keyID: String? = nil
    ) throws(VerificationError) {
        guard secret.count == encryption.keyLength else {
            throw VerificationError(
                secret.count < encryption.keyLength ? .weakKey : .invalidKey,
                because: "a shared secret has exactly the length of its encryption's key")
        }
        self.init(.secret(SharedSecret(secret), encryption), keyID: keyID, algorithms: [.direct])
    }

    /// Reads an unencrypted private key from PEM or DER: PKCS#8, or a traditional form of RSA or EC.
    ///
    /// - Parameters:
    ///   - document: at most 64 KiB.
    ///   - keyID: the name to give the key.
    ///   - algorithms: those that the key is for; nil: all that fit its type.
    /// - Throws: `invalid_key` for anything else, for an RSA key that has not 2,048 to 8,192 bits and for another curve than P-256, P-384,
    ///   P-521 and X25519; `key_algorithm_mismatch` if an algorithm does not fit.
    public convenience init(
        importing document: Span<UInt8>, keyID: String? = nil, algorithms: Set<KeyManagementAlgorithm>? = nil
    ) throws(VerificationError) {
        let key = unsafe document.withUnsafeBufferPointer { document in
            unsafe RecipientKey { unsafe cossl_decryption_key_import($0, document.baseAddress, document.count) }
        }
        guard let key else {
            throw VerificationError(
                .invalidKey, because: "the document is not an unencrypted private key for decryption, in PEM or DER")
        }
        try self.init(key, keyID, algorithms)
    }

    convenience init(_ key: RecipientKey, _ keyID: String?, _ algorithms: Set<KeyManagementAlgorithm>?) throws(VerificationError) {
        let fitting = key.recipient == COSSL_RECIPIENT_RSA ? KeyManagementAlgorithm.rsa : KeyManagementAlgorithm.agreement
        let algorithms = algorithms ?? fitting
        guard !algorithms.isEmpty, algorithms.isSubset(of: fitting) else { throw VerificationError(.keyAlgorithmMismatch) }
        self.init(.recipient(key), keyID: keyID, algorithms: algorithms)
    }

    /// Why it does not fit a token of `header`; nil if it does.
    func refusal(for header: borrowing EncryptionHeader) -> VerificationError.Code? {
        guard algorithms.contains(header.algorithm) else { return .keyAlgorithmMismatch }
        switch material {
        case .secret(_, let encryption): return encryption == header.encryption ? nil : .keyAlgorithmMismatch
        case .recipient(let key):
            guard let ephemeral = header.ephemeralKey else { return nil }
            return ephemeral.curve.openssl == key.recipient ? nil : .invalidEphemeralKey
        }
    }
}

extension DecryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithms. No key material and no `kid` is in it.
    public var description: String { "DecryptionKey(\(algorithms.map(\.name).sorted().joined(separator: ", ")))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
