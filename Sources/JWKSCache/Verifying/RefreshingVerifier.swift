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
        switch subject {
        case .one(let verifier):
            return try await verifier.keys.retrying { () throws(VerificationError) in try verifier.verify(token.span, now: now) }
        case .many(let issuers):
            let verify = { () throws(VerificationError) in try issuers.verify(token.span, now: now) }
            do throws(VerificationError) {
                return try verify()
            } catch {
                guard error.code == .keysUnavailable, let keys = issuers.keys(for: token) else { throw error }
                return try await keys.retrying(verify)
            }
        }
    }
}
