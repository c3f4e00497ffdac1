// The same for tokens in arrays and text, with the results and errors of the functions for spans. Callers need no `f().span`, which
// crashes the optimiser of Swift 6.3.1.

extension TokenVerifier {
    /// Verifies a token in a `String`.
    public func verify(_ token: String, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.utf8.span, now: now)
    }

    /// Verifies a token in an array of bytes.
    public func verify(_ token: [UInt8], now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.span, now: now)
    }

    /// Verifies a token in a `String`.
    @inlinable
    public func withVerified<Result>(
        _ token: String, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token.utf8.span, now: now, body)
    }

    /// Verifies a token in an array of bytes.
    @inlinable
    public func withVerified<Result>(
        _ token: [UInt8], now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token.span, now: now, body)
    }

    /// Verifies a token in a `String`.
    @inlinable
    public func withVerifiedPayload<Result>(
        _ token: String, _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        try withVerifiedPayload(token.utf8.span, body)
    }

    /// Verifies a token in an array of bytes.
    @inlinable
    public func withVerifiedPayload<Result>(
        _ token: [UInt8], _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        try withVerifiedPayload(token.span, body)
    }

    /// Verifies a token in a `String`.
    public func verifyDetached(_ token: String, payload: [UInt8]) throws(VerificationError) {
        try verifyDetached(token.utf8.span, payload: payload.span)
    }

    /// Verifies a token and a payload in a `String` each.
    public func verifyDetached(_ token: String, payload: String) throws(VerificationError) {
        try verifyDetached(token.utf8.span, payload: payload.utf8.span)
    }

    /// Verifies a token in an array of bytes.
    public func verifyDetached(_ token: [UInt8], payload: [UInt8]) throws(VerificationError) {
        try verifyDetached(token.span, payload: payload.span)
    }
}

extension TokenRouter {
    /// Verifies a token in a `String`.
    @inlinable
    public func withVerified<Result>(
        _ token: String, now: NumericDate, limits: TokenLimits = .standard, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token.utf8.span, now: now, limits: limits, body)
    }

    /// Verifies a token in an array of bytes.
    @inlinable
    public func withVerified<Result>(
        _ token: [UInt8], now: NumericDate, limits: TokenLimits = .standard, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token.span, now: now, limits: limits, body)
    }

    /// Verifies a token in a `String`.
    public func verify(_ token: String, now: NumericDate, limits: TokenLimits = .standard) throws(VerificationError) -> VerifiedToken {
        try verify(token.utf8.span, now: now, limits: limits)
    }

    /// Verifies a token in an array of bytes.
    public func verify(_ token: [UInt8], now: NumericDate, limits: TokenLimits = .standard) throws(VerificationError) -> VerifiedToken {
        try verify(token.span, now: now, limits: limits)
    }
}
