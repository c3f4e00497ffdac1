internal import JWKSCache
internal import JWTCore

/// What verifies the tokens of one issuer.
struct TrustedTokens {
    let issuer: String
    let route: TokenRoute<ProviderKeys>
    let cached: CachedVerifier?

    init(of issuer: IssuerConfiguration, keys: ProviderKeys, _ policy: ClaimsPolicy, _ limits: TokenLimits, _ cache: VerifiedTokenCache?) {
        var policy = policy
        policy.issuers = [issuer.issuer]
        self.issuer = issuer.issuer
        route = TokenRoute(policy: policy, keys: keys)
        cached = cache.map { CachedVerifier(TokenVerifier(keys: keys, policy: policy, limits: limits).caching(in: $0)) }
    }
}

/// The issuers of a provider that has several, found by their names.
final class Tenants: Sendable {
    let index: NameIndex
    let routes: [TokenRoute<ProviderKeys>]

    init(_ issuers: [TrustedTokens]) {
        index = NameIndex(issuers.map(\.issuer))
        routes = issuers.map(\.route)
    }

    /// The position of the issuer that a search finds in `token`, or -1.
    func position(of token: Span<UInt8>) -> Int {
        do throws(VerificationError) {
            return try CompactToken(parsing: token).position(in: index)
        } catch {
            return -1
        }
    }
}

/// A verifier behind one reference: a copy of the structure would count one for each of its members.
final class CachedVerifier: Sendable {
    let verifier: TokenVerifier<ProviderKeys>

    init(_ verifier: TokenVerifier<ProviderKeys>) { self.verifier = verifier }
}

/// The routes to the issuers of a provider: to one, or to tenants.
struct IssuerRouter: TokenRouter {
    let issuer: String
    let route: TokenRoute<ProviderKeys>
    let tenants: Tenants?

    @specialized(where Result == Void)
    func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<ProviderKeys>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        if issuer.equals(self.issuer) { return try body(route) }
        guard let tenants else { throw VerificationError(.issuerMismatch, claim: .issuer) }
        let position = tenants.index.first(issuer)
        guard position >= 0 else { throw VerificationError(.issuerMismatch, claim: .issuer) }
        return try body(tenants.routes[position])
    }
}
