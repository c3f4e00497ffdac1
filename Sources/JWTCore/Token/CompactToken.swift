/// A token in compact serialization (RFC 7515 section 7.1), split at its dots and not decoded.
///
/// Nothing is copied: the parts are views of the caller's bytes, which they cannot outlive.
public struct CompactToken: ~Escapable {
    /// The whole token.
    public let bytes: Span<UInt8>
    private let firstDot: Int
    private let secondDot: Int

    /// Splits `bytes` into three parts.
    ///
    /// - Throws: `token_too_large`; `encrypted_token` for five parts (a JWE); `malformed_token` for any other number of parts, and for an
    ///   empty header. The length is checked first, so refusing a too large token costs the same at any size.
    @_lifetime(copy bytes)
    public init(parsing bytes: Span<UInt8>, limits: TokenLimits = .standard) throws(VerificationError) {
        guard bytes.count <= limits.mostTokenBytes else { throw VerificationError(.tokenTooLarge, at: max(0, limits.mostTokenBytes)) }
        guard let (firstDot, secondDot) = bytes.bothDots() else { throw Self.wrongNumberOfParts(bytes) }
        guard firstDot > 0 else { throw VerificationError(.malformedToken, at: 0) }
        self.bytes = bytes
        self.firstDot = firstDot
        self.secondDot = secondDot
    }

    /// RFC 7516 section 9: five parts are a JWE.
    private static func wrongNumberOfParts(_ bytes: Span<UInt8>) -> VerificationError {
        let secondDot = bytes.firstDot(from: bytes.firstDot(from: 0) + 1)
        guard secondDot < bytes.count else { return VerificationError(.malformedToken) }
        let thirdDot = bytes.firstDot(from: secondDot + 1)
        let fourthDot = bytes.firstDot(from: thirdDot + 1)
        let isEncrypted = fourthDot < bytes.count && bytes.firstDot(from: fourthDot + 1) == bytes.count
        return VerificationError(isEncrypted ? .encryptedToken : .malformedToken, at: isEncrypted ? nil : thirdDot)
    }

    /// The base64url text of the header.
    public var header: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(0..<firstDot) } }
    /// The base64url text of the payload; the payload itself if the header has `b64: false` (RFC 7797).
    public var payload: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(firstDot + 1..<secondDot) } }
    /// The base64url text of the signature.
    public var signature: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(secondDot + 1..<bytes.count) } }
    /// The signed bytes: header, dot, payload.
    public var signingInput: Span<UInt8> { @_lifetime(copy self) get { bytes.extracting(0..<secondDot) } }

    /// The offsets of the parts in ``bytes``, for errors.
    var payloadOffset: Int { firstDot + 1 }
    var signatureOffset: Int { secondDot + 1 }
}
