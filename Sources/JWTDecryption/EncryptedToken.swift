internal import JWTCore

/// A token in compact serialization (RFC 7516 section 7.1), split at its dots and not decoded: header, encrypted key, initialization
/// vector, ciphertext, tag.
///
/// Nothing is copied: the parts are views of the caller's bytes, which they cannot outlive.
struct EncryptedToken: ~Escapable {
    let bytes: Span<UInt8>
    private let dots: (Int, Int, Int, Int)

    /// - Throws: `token_too_large`; `unencrypted_token` for three parts; `malformed_token` for any other number but five, and for an empty
    ///   header. The length is checked first, so refusing a too large token costs the same at any size.
    @_lifetime(copy bytes)
    init(parsing bytes: Span<UInt8>, limits: DecryptionLimits) throws(VerificationError) {
        guard bytes.count <= limits.mostTokenBytes else { throw VerificationError(.tokenTooLarge, at: max(0, limits.mostTokenBytes)) }
        guard let first = bytes.dot(from: 0), let second = bytes.dot(from: first + 1) else { throw VerificationError(.malformedToken) }
        guard let third = bytes.dot(from: second + 1) else { throw VerificationError(.unencryptedToken) }
        guard let fourth = bytes.dot(from: third + 1) else { throw VerificationError(.malformedToken, at: third) }
        if let fifth = bytes.dot(from: fourth + 1) { throw VerificationError(.malformedToken, at: fifth) }
        guard first > 0 else { throw VerificationError(.malformedToken, at: 0) }
        self.bytes = bytes
        dots = (first, second, third, fourth)
    }

    /// The base64url text of the header: also the additional authenticated data (RFC 7516 section 5.1, step 14).
    var header: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(0..<dots.0) } }

    var keyOffset: Int { dots.0 + 1 }
    var nonceOffset: Int { dots.1 + 1 }
    var tagOffset: Int { dots.3 + 1 }

    /// The decoded parts behind the header.
    ///
    /// - Throws: `invalid_base64url` with the offset in the token.
    func decodedKey() throws(VerificationError) -> [UInt8] { try decoded(dots.0 + 1..<dots.1) }
    func decodedNonce() throws(VerificationError) -> [UInt8] { try decoded(dots.1 + 1..<dots.2) }
    func decodedCiphertext() throws(VerificationError) -> [UInt8] { try decoded(dots.2 + 1..<dots.3) }
    func decodedTag() throws(VerificationError) -> [UInt8] { try decoded(dots.3 + 1..<bytes.count) }
    func decodedHeader() throws(VerificationError) -> [UInt8] { try decoded(0..<dots.0) }

    private func decoded(_ range: Range<Int>) throws(VerificationError) -> [UInt8] {
        do { return try Base64URL.bytes(bytes.extracting(range)) } catch { throw error.shifted(by: range.lowerBound) }
    }
}

extension Span<UInt8> {
    fileprivate func dot(from start: Int) -> Int? { first(UInt8(ascii: "."), in: start..<count) }
}
