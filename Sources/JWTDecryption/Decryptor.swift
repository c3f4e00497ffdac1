internal import COpenSSL
public import JWTCore

/// Decrypts tokens (RFC 7516) with an operator's keys. Make one once and use it from any thread.
///
/// ```swift
/// let decryptor = Decryptor(keys: try DecryptionKey.keys(in: document))
/// let inner = try decryptor.decrypt(token)
/// ```
///
/// What comes out is unverified: ``NestedVerifier`` verifies it too.
public struct Decryptor: Sendable {
    public let keys: [DecryptionKey]
    /// The content encryptions that are allowed.
    public let encryptions: Set<ContentEncryption>
    public let limits: DecryptionLimits
    /// Whether a header without `cty` is accepted, against RFC 7519 section 5.2. Some providers leave it out. The content must be a signed
    /// token all the same.
    public var acceptsMissingContentType = false

    /// - Parameters:
    ///   - keys: the private keys, in the order in which tokens without a `kid` try them.
    ///   - encryptions: the content encryptions to allow.
    ///   - limits: the bounds of a token.
    public init(
        keys: [DecryptionKey], encryptions: Set<ContentEncryption> = Set(ContentEncryption.allCases), limits: DecryptionLimits = .standard
    ) {
        self.keys = keys
        self.encryptions = encryptions
        self.limits = limits
    }

    /// Decrypts `token` and returns the signed token in it.
    ///
    /// Everything that depends on a key has one error, `decryption_failed`: wrong key, damaged encrypted key, wrong tag, wrong padding.
    /// Time does not tell them apart either: a CEK that cannot be recovered is replaced by one that nobody knows (RFC 7516 section 11.5).
    ///
    /// - Parameter token: a compact JWE, without white space around it.
    /// - Throws: before any key is used, the code of a fault of form; `unknown_decryption_key`, `ambiguous_decryption_key`,
    ///   `key_algorithm_mismatch`; then `decryption_failed`; then `compressed_token` or `not_nested` for what is in it.
    public func decrypt(_ token: Span<UInt8>) throws(VerificationError) -> UnverifiedToken {
        try UnverifiedToken(try content(of: token, needsContentType: !acceptsMissingContentType))
    }

    /// Decrypts a token that several decryptors may try, as ``decrypt(_:)-(Span<UInt8>)`` does.
    ///
    /// - Parameter attempts: the keys that all of them together may still try; those that this one tries are taken off it.
    /// - Throws: also `ambiguous_decryption_key` where that is not enough. Then no key is tried.
    package func decrypt(_ token: Span<UInt8>, attempts: inout Int) throws(VerificationError) -> UnverifiedToken {
        try UnverifiedToken(try content(of: token, needsContentType: !acceptsMissingContentType, attempts: &attempts))
    }

    /// The content of an encrypted token, whatever it is.
    package func content(of token: Span<UInt8>, needsContentType: Bool) throws(VerificationError) -> [UInt8] {
        var attempts = limits.candidateKeys
        return try content(of: token, needsContentType: needsContentType, attempts: &attempts)
    }

    private func content(
        of token: Span<UInt8>, needsContentType: Bool, attempts: inout Int
    ) throws(VerificationError) -> [UInt8] {
        let parts = try EncryptedToken(parsing: token, limits: limits)
        guard Base64URL.decodedCount(parts.header.count) <= limits.headerBytes else { throw VerificationError(.tokenTooLarge, at: 0) }
        let header = try EncryptionHeader(try parts.decodedHeader(), needsContentType: needsContentType)
        guard encryptions.contains(header.encryption) else { throw VerificationError(.encryptionNotAllowed) }
        guard !header.isCompressed || limits.inflatedBytes != nil else { throw VerificationError(.compressedToken) }
        let candidates = try candidates(for: header)
        let sealed = try SealedContent(parts, header)
        guard candidates.count <= attempts else { throw VerificationError(.ambiguousDecryptionKey) }
        for key in candidates {
            attempts -= 1
            if let content = try sealed.opened(with: key, header) { return try inflated(content, header) }
        }
        throw VerificationError(.decryptionFailed)
    }

    /// Decrypts a token in an array of bytes.
    public func decrypt(_ token: [UInt8]) throws(VerificationError) -> UnverifiedToken { try decrypt(token.span) }

    /// Decrypts a token in a `String`.
    public func decrypt(_ token: String) throws(VerificationError) -> UnverifiedToken { try decrypt(token.utf8.span) }

    private func inflated(_ content: [UInt8], _ header: borrowing EncryptionHeader) throws(VerificationError) -> [UInt8] {
        guard header.isCompressed, let limit = limits.inflatedBytes else { return content }
        guard let inflated = DeflatedContent(content).inflated(limit: limit) else { throw VerificationError(.compressedToken) }
        return inflated
    }

    /// The keys to try for a token.
    private func candidates(for header: borrowing EncryptionHeader) throws(VerificationError) -> [DecryptionKey] {
        var candidates: [DecryptionKey] = []
        var refusal: VerificationError.Code?
        for key in keys where key.answers(to: header.keyID) {
            if let code = key.refusal(for: header) {
                refusal = refusal ?? code
            } else {
                candidates.append(key)
            }
        }
        guard !candidates.isEmpty else { throw VerificationError(refusal ?? .unknownDecryptionKey) }
        guard candidates.count <= limits.candidateKeys else { throw VerificationError(.ambiguousDecryptionKey) }
        return candidates
    }
}

extension DecryptionKey {
    /// Whether a token with this `kid`, if any, may be meant for the key.
    fileprivate func answers(to name: String?) -> Bool {
        guard let name, let keyID else { return true }
        return keyID.isExactly(name)
    }
}
