/// Chooses the verifier of a token by its issuer, among issuers that are known in advance.
///
/// The issuer passed to a router is not verified yet: it may look it up, but must not build an address, a file name or trust from it.
public protocol TokenRouter: Sendable {
    associatedtype Keys: KeySource

    /// Lends the route of `issuer` to `body`.
    ///
    /// - Throws: `issuer_mismatch` for an unknown issuer; errors of `body`.
    func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<Keys>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result
}

/// The keys and the policy for the tokens of one issuer. A class, so that lending it copies nothing.
public final class TokenRoute<Keys: KeySource>: Sendable {
    @usableFromInline let rules: Rules
    public let keys: Keys

    public init(policy: ClaimsPolicy, keys: Keys) {
        rules = Rules(policy: policy, keys: keys)
        self.keys = keys
    }

    @inlinable public var policy: ClaimsPolicy { rules.policy }
}

extension TokenRouter {
    /// Verifies `token` with the policy and the keys of its issuer, and lends its claims to `body`.
    ///
    /// - Throws: why the token is refused; for an unknown issuer before any cryptography.
    @inlinable
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate, limits: TokenLimits = .standard, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        // Code that depends on the caller's type is compiled with the caller; the rest is compiled once.
        var result: Result?
        try lendClaims(of: token, now: now, limits: limits) { result = body($0) }
        // Without an error, the claims have been lent.
        return result.take()!
    }

    @usableFromInline
    func lendClaims(
        of token: Span<UInt8>, now: NumericDate, limits: TokenLimits, _ body: (borrowing Claims) -> Void
    ) throws(VerificationError) {
        try Verification(limits: limits, now: now).verify(token, routedBy: self, body)
    }

    /// Verifies `token` with the policy and the keys of its issuer, and returns a copy of its content.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: Span<UInt8>, now: NumericDate, limits: TokenLimits = .standard) throws(VerificationError) -> VerifiedToken {
        try withVerified(token, now: now, limits: limits) { VerifiedToken($0) }
    }
}
