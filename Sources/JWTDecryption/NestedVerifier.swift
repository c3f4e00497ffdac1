public import JWTCore

/// Verifies signed tokens inside of encrypted ones (nested JWTs, RFC 7519 section 5.2; OIDC Core section 16.14): decrypts, then verifies
/// the inner token by the same verifier and policy as a token that was never encrypted. Make one once and use it from any thread.
public struct NestedVerifier<Keys: KeySource>: Sendable {
    public let decryptor: Decryptor
    /// Verifies the inner token. Its cache, if any, knows inner tokens.
    public let verifier: TokenVerifier<Keys>

    /// - Parameters:
    ///   - decryptor: has the recipient's own keys.
    ///   - verifier: has the issuer's keys.
    public init(decryptor: Decryptor, verifier: TokenVerifier<Keys>) {
        self.decryptor = decryptor
        self.verifier = verifier
    }

    /// Decrypts `token`, verifies the token in it and returns a copy of its content.
    ///
    /// - Parameters:
    ///   - token: a compact JWE, without white space around it.
    ///   - now: the time to judge for; nil reads the clock.
    /// - Throws: the errors of ``Decryptor/decrypt(_:)-(Span<UInt8>)``, so `unencrypted_token` for a token that is only signed; those of
    ///   the verifier, with offsets in the inner token.
    public func verify(_ token: Span<UInt8>, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verifier.verify(try decryptor.decrypt(token).bytes, now: now)
    }

    /// Decrypts and verifies a token in a `String`.
    public func verify(_ token: String, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.utf8.span, now: now)
    }

    /// Decrypts and verifies a token in an array of bytes.
    public func verify(_ token: [UInt8], now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.span, now: now)
    }

    /// Decrypts `token`, verifies the token in it and lends its claims to `body`.
    ///
    /// - Parameters:
    ///   - token: a compact JWE, without white space around it.
    ///   - now: the time to judge for; nil reads the clock.
    ///   - body: receives the claims; they cannot leave it.
    /// - Throws: as ``verify(_:now:)-(Span<UInt8>,_)``.
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try verifier.withVerified(try decryptor.decrypt(token).bytes, now: now, body)
    }
}
