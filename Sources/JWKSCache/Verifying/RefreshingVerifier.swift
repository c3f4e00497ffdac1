public import JWTCore

/// Verifies tokens against remote keys, and where a key is not known yet waits for the one fetch that may bring it: at most for the
/// policy's wait budget.
///
/// ```swift
/// let verifier = RefreshingVerifier(keys: keys, policy: policy)
/// let token = try await verifier.verify(text)
/// ```
public struct RefreshingVerifier: Sendable {
    /// The verifier that never waits.
    public let verifier: TokenVerifier<RemoteKeySet>
    private let clock: any ElapsedClock

    public init(
        keys: RemoteKeySet, policy: ClaimsPolicy, limits: TokenLimits = .standard, clock: any UnixClock = SystemClock(),
        elapsedClock: any ElapsedClock = SystemElapsedClock()
    ) {
        verifier = TokenVerifier(keys: keys, policy: policy, limits: limits, clock: clock)
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
        try await Self.retrying(verifier.keys, clock) { () throws(VerificationError) in try verifier.verify(token.span, now: now) }
    }

    /// Tries again after each fetch that ends within the budget, as long as the answer is that there may be a key soon. A token can
    /// cause no more fetches than ``RefreshPolicy/probeLimit`` permits, so this ends.
    static func retrying<Result>(
        _ keys: RemoteKeySet, _ clock: any ElapsedClock, _ body: () throws(VerificationError) -> Result
    ) async throws(VerificationError) -> Result {
        let deadline = clock.elapsed + keys.policy.waitBudget.duration
        while true {
            do throws(VerificationError) {
                return try body()
            } catch {
                guard error.code == .keysUnavailable, await keys.settled(within: deadline - clock.elapsed) else { throw error }
            }
        }
    }
}
