internal import JWKSCache
internal import JWTCore
internal import JWTDecryption
internal import StatusListCache

/// A provider, prepared for decisions.
final class ProviderRules: Sendable {
    let name: String
    let nameBytes: [UInt8]
    let places: [TokenPlace]
    let forwardsToken: Bool
    let passesOnce: Bool
    let proofs: ProofRules?
    /// Nil where `cnf` is not looked at.
    let confirmations: ConfirmationRules?
    /// By which a provider whose tokens pass once admits a token after its `exp` at most.
    let leewayOfUses: Duration
    let fields: LentObjects<ClaimField>
    /// The positions in ``DecisionRules/fieldNames`` of the fields for claims, then of the payload's.
    let slots: [Int]
    /// Whether a field has the payload.
    let keepsPayload: Bool
    let padsPayload: Bool
    /// The names of metadata.
    let payloadMetadata: [UInt8]?
    let headerMetadata: [UInt8]?
    var keepsDocuments: Bool { payloadMetadata != nil || headerMetadata != nil }
    let limits: FieldLimits
    private let keys: [ProviderKeys]
    private let router: IssuerRouter
    private let tokenLimits: TokenLimits
    /// That of each issuer; none without a cache.
    private let cached: LentObjects<CachedVerifier>
    private let tenants: Tenants?
    /// Opens encrypted tokens; nil without keys for them.
    private let decryptor: Decryptor?
    /// Whether a token that is only signed is refused.
    private let needsEncryption: Bool
    /// Its status lists; none if it has no terms for them.
    private let statuses: LentObjects<TokenStatuses>
    /// How much the clocks of the issuer and of this machine may differ.
    let leewaySeconds: Int64
    /// What asks about its opaque tokens; none if it has no terms for that.
    let introspections: LentObjects<IntrospectionRules>

    /// - Parameters:
    ///   - keys: those of each of the provider's issuers.
    ///   - leewayOfUses: see the member.
    ///   - horizon: of the memory of uses, for proofs.
    init(
        _ provider: Provider, keys: [ProviderKeys], statuses: TokenStatuses?, introspection: TokenIntrospection?, leewayOfUses: Duration,
        horizon: ProofHorizon, fieldNames: [String], limits: FieldLimits, tokenBytes: Int, cache: VerifiedTokenCache?
    ) {
        func slot(of name: String) -> Int? { fieldNames.firstIndex(of: name.lowercased()) }
        name = provider.name
        nameBytes = Array(provider.name.utf8)
        places = provider.sources.map(TokenPlace.init)
        forwardsToken = provider.forwardsToken
        passesOnce = provider.passesOnce
        leewaySeconds = max(0, provider.issuer.policy.leeway.components.seconds)
        proofs = provider.proofs.map { ProofRules($0, horizon) }
        confirmations = ConfirmationRules(provider)
        self.leewayOfUses = leewayOfUses
        fields = LentObjects(provider.claimHeaders.map(ClaimField.init))
        slots = (provider.claimHeaders.map(\.name) + [provider.payloadHeader].compactMap(\.self)).map { slot(of: $0) ?? 0 }
        keepsPayload = provider.payloadHeader != nil
        padsPayload = provider.padsPayload
        payloadMetadata = provider.payloadMetadata.map { Array($0.utf8) }
        headerMetadata = provider.headerMetadata.map { Array($0.utf8) }
        self.limits = limits
        self.keys = keys
        self.statuses = LentObjects(statuses.map { [$0] } ?? [])
        let introspection = introspection.map { IntrospectionRules($0, provider.issuer, tokenBytes: tokenBytes) }
        introspections = LentObjects(introspection.map { [$0] } ?? [])
        var tokenLimits = TokenLimits.standard
        tokenLimits.tokenBytes = tokenBytes
        self.tokenLimits = tokenLimits
        let issuers = zip(provider.issuers, keys).map { TrustedTokens(of: $0, keys: $1, provider.issuer.policy, tokenLimits, cache) }
        tenants = issuers.count > 1 ? Tenants(issuers) : nil
        router = IssuerRouter(issuer: issuers[0].issuer, route: issuers[0].route, tenants: tenants)
        needsEncryption = !provider.decryptionKeys.isEmpty && !provider.acceptsUnencrypted
        // A cache would answer before the question whether the token is encrypted.
        cached = LentObjects(needsEncryption ? [] : issuers.compactMap(\.cached))
        var limits = DecryptionLimits()
        limits.tokenBytes = max(limits.tokenBytes, 3 * (min(tokenBytes, 1 << 30) / 2))
        decryptor = provider.decryptionKeys.isEmpty ? nil : Decryptor(keys: provider.decryptionKeys, limits: limits)
    }

    /// Verifies `token` and lends its claims to `body`. A token of another issuer is refused before any cryptography, and causes no fetch.
    func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        guard cached.count > 0 else { return try withUncached(token, now: now, body) }
        // The cache is asked before the payload is read, so the issuer is compared before that. A token in which the search finds no issuer
        // has no entry there.
        let issuer = cachedIssuer(of: token)
        guard issuer >= 0 else { return try router.withVerified(token, now: now, limits: tokenLimits, body) }
        return try cached.lend(issuer) { verifier throws(VerificationError) in try verifier.verifier.withVerified(token, now: now, body) }
    }

    private func withUncached<Result>(
        _ token: Span<UInt8>, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        if needsEncryption {
            // `encrypted_token` for what can be opened.
            _ = try CompactToken(parsing: token, limits: outerLimits)
            throw VerificationError(.unencryptedToken)
        }
        return try router.withVerified(token, now: now, limits: tokenLimits, body)
    }

    /// The signed token inside of an encrypted one, which is unverified. Nil without keys for such tokens, and for a token that the
    /// authorization server judges.
    ///
    /// - Parameter attempts: the keys that may still be tried.
    func opened(_ token: Span<UInt8>, attempts: inout Int) throws(VerificationError) -> [UInt8]? {
        introspects(token) ? nil : try decryptor?.decrypt(token, attempts: &attempts).bytes
    }

    /// Verifies the inner token of an encrypted one. It is in no cache: nobody sends it alone.
    func withVerified<Result>(
        inner token: Span<UInt8>, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try router.withVerified(token, now: now, limits: tokenLimits, body)
    }

    /// The limits of a token that may be encrypted.
    private var outerLimits: TokenLimits {
        var limits = tokenLimits
        limits.tokenBytes = decryptor?.limits.tokenBytes ?? limits.tokenBytes
        return limits
    }

    /// Why its status does not admit a token of these claims; nil if it does.
    ///
    /// - Parameters:
    ///   - answer: receives what the list says.
    ///   - awaited: receives the list that the token lacks.
    func denial(
        byStatusOf claims: borrowing Claims, _ answer: inout StatusVerdict?, _ awaited: inout [AwaitedStatus]
    ) -> DenialReason? {
        statuses.lend(0) { $0.denial(of: claims, &answer, &awaited) }
    }

    /// Whether the authorization server is asked about `token`, which then is not verified here.
    func introspects(_ token: Span<UInt8>) -> Bool { introspections.count > 0 && introspections.lend(0) { $0.takes(token) } }

    /// Whether tokens are judged by status lists.
    var asksLists: Bool { statuses.count > 0 }

    /// Counts what a list said.
    func count(_ verdict: StatusVerdict) { statuses.lend(0) { $0.count(verdict) } }

    /// The position of the issuer that a search finds in `token`, or -1.
    private func cachedIssuer(of token: Span<UInt8>) -> Int { names(issuerOf: token) ? 0 : tenants?.position(of: token) ?? -1 }

    private func names(issuerOf token: Span<UInt8>) -> Bool {
        do throws(VerificationError) {
            return try CompactToken(parsing: token).names(issuer: router.issuer)
        } catch {
            return false
        }
    }

    /// The keys of the issuer at this position.
    func keys(ofIssuer position: Int) -> ProviderKeys { keys[position] }

    /// The position of the issuer that a token names, which need not be true; of the first one for a token of no issuer of the provider.
    func issuer(of token: Span<UInt8>) -> Int { max(0, tenants?.position(of: token) ?? 0) }

    /// The position of the issuer with this name; of the first one if none has it.
    func issuer(named name: String) -> Int { max(0, tenants?.index.first(JSONString(name.utf8.span, isEscaped: false)) ?? 0) }
}
