public import JWTCore

/// Verifies tokens against remote keys. For an unknown key it waits for the one fetch that may get it, at most for the policy's wait
/// budget.
///
/// ```swift
/// let verifier = RefreshingVerifier(keys: keys, policy: policy)
/// let token = try await verifier.verify(text)
/// ```
public struct RefreshingVerifier: Sendable {
    private let subject: Subject

    private enum Subject: Sendable {
        case one(TokenVerifier<RemoteKeySet>)
        case many(TrustedIssuers)
    }

    public init(keys: RemoteKeySet, policy: ClaimsPolicy, limits: TokenLimits = .standard, clock: any UnixClock = SystemClock()) {
        subject = .one(TokenVerifier(keys: keys, policy: policy, limits: limits, clock: clock))
    }

    /// A verifier for the tokens of many issuers, with the wait budget of each issuer's policy.
    public init(_ issuers: TrustedIssuers) { subject = .many(issuers) }

    private init(_ subject: Subject) { self.subject = subject }

    // One login

    /// A verifier for one login: the token's `nonce` must be the one sent in the authentication request.
    ///
    /// - Parameter nonce: the nonce of this login. It is not optional, so that a lost session cannot skip the check.
    public func expecting(nonce: String) -> Self {
        switch subject {
        case .one(let verifier): Self(.one(verifier.expecting(nonce: nonce)))
        case .many(let issuers): Self(.many(issuers.expecting(nonce: nonce)))
        }
    }

    /// A verifier for one login: the id_token's `at_hash` must be the hash of the access token received with it.
    public func expecting(accessToken: String) -> Self {
        switch subject {
        case .one(let verifier): Self(.one(verifier.expecting(accessToken: accessToken)))
        case .many(let issuers): Self(.many(issuers.expecting(accessToken: accessToken)))
        }
    }

    /// A verifier for one login: the id_token's `c_hash` must be the hash of the code received with it.
    public func expecting(code: String) -> Self {
        switch subject {
        case .one(let verifier): Self(.one(verifier.expecting(code: code)))
        case .many(let issuers): Self(.many(issuers.expecting(code: code)))
        }
    }

    // Verifying

    /// Verifies `token` and returns a copy of its content.
    ///
    /// - Throws: why it is refused; `keys_unavailable` if the wait was too short: try again.
    public func verify(_ token: String, now: NumericDate? = nil) async throws(VerificationError) -> VerifiedToken {
        try await verify(Array(token.utf8), now: now)
    }

    /// Verifies `token` and returns a copy of its content.
    ///
    /// - Throws: why it is refused; `keys_unavailable` if the wait was too short: try again.
    public func verify(_ token: [UInt8], now: NumericDate? = nil) async throws(VerificationError) -> VerifiedToken {
        let subject = subject
        return try await waiting(token) { () throws(VerificationError) -> VerifiedToken in
            switch subject {
            case .one(let verifier): try verifier.verify(token.span, now: now)
            case .many(let issuers): try issuers.verify(token.span, now: now)
            }
        }
    }

    /// Verifies `token` and lends its claims to `body`, after waiting for its key as `verify(_:now:)` does. Copies no claim.
    ///
    /// - Throws: why it is refused; `keys_unavailable` if the wait was too short: try again.
    public func withVerified<Result>(
        _ token: String, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) async throws(VerificationError) -> Result {
        try await withVerified(Array(token.utf8), now: now, body)
    }

    /// Verifies `token` and lends its claims to `body`, after waiting for its key as `verify(_:now:)` does. Copies no claim.
    ///
    /// - Throws: why it is refused; `keys_unavailable` if the wait was too short: try again.
    public func withVerified<Result>(
        _ token: [UInt8], now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) async throws(VerificationError) -> Result {
        let subject = subject
        return try await waiting(token) { () throws(VerificationError) -> Result in
            switch subject {
            case .one(let verifier): try verifier.withVerified(token.span, now: now, body)
            case .many(let issuers): try issuers.withVerified(token.span, now: now, body)
            }
        }
    }

    /// Runs `verification` again while it throws `keys_unavailable` and a fetch that may bring the key of `token` ends in time.
    private func waiting<Result>(
        _ token: [UInt8], _ verification: () throws(VerificationError) -> Result
    ) async throws(VerificationError) -> Result {
        switch subject {
        case .one(let verifier): return try await verifier.keys.retrying(verification)
        case .many(let issuers):
            do throws(VerificationError) {
                return try verification()
            } catch {
                guard error.code == .keysUnavailable, let keys = issuers.keys(for: token) else { throw error }
                return try await keys.retrying(verification)
            }
        }
    }

    /// Explains to a developer why `token` was refused, as `TokenVerifier.explanation(of:token:now:)` does, with the keys at hand.
    public func explanation(of error: VerificationError, token: [UInt8], now: NumericDate? = nil) -> String {
        switch subject {
        case .one(let verifier): verifier.explanation(of: error, token: token, now: now)
        case .many(let issuers): issuers.explanation(of: error, token: token, now: now)
        }
    }

    /// Explains why a token in a `String` was refused.
    public func explanation(of error: VerificationError, token: String, now: NumericDate? = nil) -> String {
        explanation(of: error, token: Array(token.utf8), now: now)
    }
}
