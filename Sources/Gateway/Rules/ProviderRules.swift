internal import JWKSCache
internal import JWTCore

/// A provider, prepared for decisions.
final class ProviderRules: Sendable {
    let name: String
    let nameBytes: [UInt8]
    let places: [TokenPlace]
    let forwardsToken: Bool
    let fields: [ClaimField]
    /// The position of the payload's field in ``DecisionRules/fieldNames``.
    let payloadSlot: Int?
    let padsPayload: Bool
    /// The names of metadata.
    let payloadMetadata: [UInt8]?
    let headerMetadata: [UInt8]?
    var keepsDocuments: Bool { payloadMetadata != nil || headerMetadata != nil }
    let limits: FieldLimits
    let keys: ProviderKeys
    private let router: IssuerRouter
    private let tokenLimits: TokenLimits
    private let cached: CachedVerifier?

    init(
        _ provider: Provider, keys: ProviderKeys, fieldNames: [String], limits: FieldLimits, tokenBytes: Int, cache: VerifiedTokenCache?
    ) {
        func slot(of name: String) -> Int? { fieldNames.firstIndex(of: name.lowercased()) }
        name = provider.name
        nameBytes = Array(provider.name.utf8)
        places = provider.sources.map(TokenPlace.init)
        forwardsToken = provider.forwardsToken
        fields = provider.claimHeaders.map { ClaimField($0, slot: slot(of: $0.name) ?? 0) }
        payloadSlot = provider.payloadHeader.flatMap(slot)
        padsPayload = provider.padsPayload
        payloadMetadata = provider.payloadMetadata.map { Array($0.utf8) }
        headerMetadata = provider.headerMetadata.map { Array($0.utf8) }
        self.limits = limits
        self.keys = keys
        var policy = provider.issuer.policy
        policy.issuers = [provider.issuer.issuer]
        router = IssuerRouter(issuer: provider.issuer.issuer, route: TokenRoute(policy: policy, keys: keys))
        var tokenLimits = TokenLimits.standard
        tokenLimits.tokenBytes = tokenBytes
        self.tokenLimits = tokenLimits
        cached = cache.map { CachedVerifier(TokenVerifier(keys: keys, policy: policy, limits: tokenLimits).caching(in: $0)) }
    }

    /// Verifies `token` and lends its claims to `body`. A token of another issuer is refused before any cryptography, and causes no fetch.
    func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        guard let cached, names(issuerOf: token) else { return try router.withVerified(token, now: now, limits: tokenLimits, body) }
        return try cached.verifier.withVerified(token, now: now, body)
    }

    /// The cache is asked before the payload is read, so the issuer is compared before that. A token in which the search finds no issuer has
    /// no entry there.
    private func names(issuerOf token: Span<UInt8>) -> Bool {
        do throws(VerificationError) {
            return try CompactToken(parsing: token).names(issuer: router.issuer)
        } catch {
            return false
        }
    }
}

/// A verifier behind one reference: a copy of the structure would count one for each of its members.
private final class CachedVerifier: Sendable {
    let verifier: TokenVerifier<ProviderKeys>

    init(_ verifier: TokenVerifier<ProviderKeys>) { self.verifier = verifier }
}

/// The route to one issuer.
private struct IssuerRouter: TokenRouter {
    let issuer: String
    let route: TokenRoute<ProviderKeys>

    func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<ProviderKeys>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        guard issuer.equals(self.issuer) else { throw VerificationError(.issuerMismatch, claim: .issuer) }
        return try body(route)
    }
}
