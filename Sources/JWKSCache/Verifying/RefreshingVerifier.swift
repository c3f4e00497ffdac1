public import JWTCore

/// Verifies tokens against remote keys, and where a key is not known yet waits for the one fetch that may bring it: at most for the
/// policy's wait budget.
///
/// ```swift
/// let verifier = RefreshingVerifier(keys: keys, policy: policy)
/// let token = try await verifier.verify(text)
/// ```
public struct RefreshingVerifier: Sendable {
    private let subject: Subject
    private let clock: any ElapsedClock

    private enum Subject: Sendable {
        case one(TokenVerifier<RemoteKeySet>)
        case many(TrustedIssuers)
    }

    /// A verifier for the tokens of many issuers, each waited for by its own policy.
    public init(_ issuers: TrustedIssuers, elapsedClock: any ElapsedClock = SystemElapsedClock()) {
        subject = .many(issuers)
        clock = elapsedClock
    }

    public init(
        keys: RemoteKeySet, policy: ClaimsPolicy, limits: TokenLimits = .standard, clock: any UnixClock = SystemClock(),
        elapsedClock: any ElapsedClock = SystemElapsedClock()
    ) {
        subject = .one(TokenVerifier(keys: keys, policy: policy, limits: limits, clock: clock))
        self.clock = elapsedClock
    }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why it is refused; `keys_unavailable` where the wait was not enough: try again.
    public func verify(_ token: String, now: NumericDate? = nil) async throws(VerificationError) -> VerifiedToken {
        let bytes = Array(token.utf8)
        return try await verify(bytes, now: now)
    }

    /// Verifies `token` and keeps a copy of what it says.
    ///
    /// - Throws: why it is refused; `keys_unavailable` where the wait was not enough: try again.
    public func verify(_ token: [UInt8], now: NumericDate? = nil) async throws(VerificationError) -> VerifiedToken {
        let start = clock.elapsed
        while true {
            do throws(VerificationError) {
                switch subject {
                case .one(let verifier): return try verifier.verify(token.span, now: now)
                case .many(let issuers): return try issuers.verify(token.span, now: now)
                }
            } catch {
                guard error.code == .keysUnavailable, let keys = keys(for: token) else { throw error }
                let left = start + keys.policy.waitBudget.duration - clock.elapsed
                // A token can cause no more fetches than the policy's probe limit, so this ends.
                guard await keys.settled(within: left) else { throw error }
            }
        }
    }

    private func keys(for token: [UInt8]) -> RemoteKeySet? {
        switch subject {
        case .one(let verifier): verifier.keys
        case .many(let issuers): (try? UnverifiedClaims(reading: token.span))?.issuer.flatMap { issuers.trusted($0)?.keys }
        }
    }
}
