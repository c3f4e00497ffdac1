extension TokenVerifier {
    /// Verifies `token` and lends its claims to `body`, which may fail.
    ///
    /// - Throws: a ``VerificationError`` if the token is refused; errors of `body`, unchanged.
    public func withVerified<Result, Failure: Error>(
        _ token: Span<UInt8>, now: NumericDate? = nil, _ body: (borrowing Claims) throws(Failure) -> Result
    ) throws -> Result {
        try withVerified(token, now: now) { claims -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body(claims)) } catch { return .failure(error) }
        }
        .get()
    }

    /// The same for a token in a `String`.
    public func withVerified<Result, Failure: Error>(
        _ token: String, now: NumericDate? = nil, _ body: (borrowing Claims) throws(Failure) -> Result
    ) throws -> Result {
        try withVerified(token.utf8.span, now: now, body)
    }

    /// The same for a token in an array of bytes.
    public func withVerified<Result, Failure: Error>(
        _ token: [UInt8], now: NumericDate? = nil, _ body: (borrowing Claims) throws(Failure) -> Result
    ) throws -> Result {
        try withVerified(token.span, now: now, body)
    }
}

extension TokenRouter {
    /// Verifies `token` with the policy and the keys of its issuer, and lends its claims to `body`, which may fail.
    ///
    /// - Throws: a ``VerificationError`` if the token is refused; errors of `body`, unchanged.
    public func withVerified<Result, Failure: Error>(
        _ token: Span<UInt8>, now: NumericDate, limits: TokenLimits = .standard, _ body: (borrowing Claims) throws(Failure) -> Result
    ) throws -> Result {
        try withVerified(token, now: now, limits: limits) { claims -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body(claims)) } catch { return .failure(error) }
        }
        .get()
    }

    /// The same for a token in a `String`.
    public func withVerified<Result, Failure: Error>(
        _ token: String, now: NumericDate, limits: TokenLimits = .standard, _ body: (borrowing Claims) throws(Failure) -> Result
    ) throws -> Result {
        try withVerified(token.utf8.span, now: now, limits: limits, body)
    }

    /// The same for a token in an array of bytes.
    public func withVerified<Result, Failure: Error>(
        _ token: [UInt8], now: NumericDate, limits: TokenLimits = .standard, _ body: (borrowing Claims) throws(Failure) -> Result
    ) throws -> Result {
        try withVerified(token.span, now: now, limits: limits, body)
    }
}
