internal import JWKSCache
internal import JWTCore

/// The introspection of a provider's tokens, prepared for decisions.
final class IntrospectionRules: Sendable {
    private let introspection: TokenIntrospection
    private let policy: ClaimsPolicy
    private let tokenBytes: Int

    /// - Parameters:
    ///   - issuer: whose policy judges the claims of each answer, as it judges those of a JWT.
    ///   - tokenBytes: the most bytes of a token.
    init(_ introspection: TokenIntrospection, _ issuer: IssuerConfiguration, tokenBytes: Int) {
        self.introspection = introspection
        self.tokenBytes = tokenBytes
        var policy = issuer.policy
        policy.issuers = [issuer.issuer]
        self.policy = policy
    }

    /// Whether `token` is one to ask about. No other one is shown to the authorization server, and this one not to the verifier.
    func takes(_ token: Span<UInt8>) -> Bool { introspection.takesJWT || !token.isShapedAsJWT }

    /// The active token that the authorization server knows `token` as. Never waits.
    ///
    /// - Parameter awaited: receives the answer that is missing.
    /// - Throws: why there is none.
    func active(_ token: Span<UInt8>, _ awaited: inout [AwaitedStatus]) throws(Denial) -> IntrospectedToken {
        guard token.count <= tokenBytes else { throw Denial(.token(VerificationError(.tokenTooLarge, at: tokenBytes))) }
        guard token.isVisibleText else { throw Denial(.token(VerificationError(.malformedToken))) }
        switch introspection.answer(about: token, &awaited) {
        case .active(let token): return token
        case .inactive: throw Denial(.inactiveToken)
        case .refused: throw Denial(.invalidIntrospection)
        case .unavailable: throw Denial(.introspectionUnavailable)
        }
    }

    /// Lends the claims of `token` to `body`, if they meet the policy.
    func withClaims<Result>(
        of token: IntrospectedToken, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try token.withClaims(meeting: policy, now: now, body)
    }
}
