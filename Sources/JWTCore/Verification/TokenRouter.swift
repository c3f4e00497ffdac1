/// Chooses who judges a token by the issuer it names, among issuers that are known beforehand.
///
/// What a router is told is not verified yet: it may look it up, and must not build an address, a file name or a trust from it.
public protocol TokenRouter: Sendable {
    associatedtype Keys: KeySource

    /// Lends what `issuer` is judged by to `body`.
    ///
    /// - Throws: `issuer_mismatch` for an issuer that is not known; what `body` throws.
    func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<Keys>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result
}

/// What the tokens of one issuer are judged by. A class, so that lending it copies nothing.
public final class TokenRoute<Keys: KeySource>: Sendable {
    public let policy: ClaimsPolicy
    public let keys: Keys

    public init(policy: ClaimsPolicy, keys: Keys) {
        self.policy = policy
        self.keys = keys
    }
}

extension TokenRouter {
    /// Verifies `token` by the policy and the keys of the issuer it names, and lends its claims to `body`.
    ///
    /// - Throws: why the token is refused; before any cryptography for an issuer that is not known.
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate, limits: TokenLimits = .standard, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try Verification(limits: limits).withClaims(token, routedBy: self, now: now, body)
    }

    /// Verifies `token` by the policy and the keys of the issuer it names, and keeps a copy of what it says.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: Span<UInt8>, now: NumericDate, limits: TokenLimits = .standard) throws(VerificationError) -> VerifiedToken {
        try withVerified(token, now: now, limits: limits) { VerifiedToken($0) }
    }
}
