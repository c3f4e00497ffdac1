internal import JWTCore

/// A policy, prepared for decisions.
final class PolicyRules: Sendable {
    let name: String
    let nameBytes: [UInt8]
    /// The requirement's parts, each before its members. Empty: open.
    let requirement: [RequirementPart]
    /// The providers of the requirement, each once, in their order.
    let providers: LentObjects<ProviderRules>
    /// The places of their tokens, each once.
    let places: LentObjects<PlaceRules>
    /// For each of ``providers``, the positions of its places in ``places``.
    let placesOf: [Positions]
    /// The providers whose accepted tokens the upstream does not get.
    let keepingToken: Positions
    /// The position of each provider's first value among the values of the policy: its claims in their order, then its payload.
    let valueStarts: [Int]
    let valueCount: Int
    /// Whether a host keeps documents of tokens.
    let keepsDocuments: Bool
    let keepsSubjects: Bool
    /// Whether a provider's tokens are judged by status lists.
    let asksLists: Bool
    /// Whether a provider's tokens pass once.
    let countsUses: Bool
    /// Whether a provider's tokens may come with DPoP proofs.
    let asksProofs: Bool
    private let scopes: NameList
    /// The identifier of the protected resource, which tokens name in `aud`; none for a policy without one.
    private let audience: NameList
    private let contextClasses: NameList
    /// The largest age of `auth_time` in seconds.
    private let authenticationSeconds: Int64?
    private let conditions: LentObjects<ClaimCondition>
    let challenge: ChallengeTerms
    /// Nil: browsers get the challenge too.
    let redirect: BrowserRedirect?
    let isDryRun: Bool
    /// The position of the shadow policy.
    let shadow: Int?

    /// - Parameters:
    ///   - policy: has been checked.
    ///   - known: every provider, by its name.
    ///   - proofs: what its challenges say about DPoP.
    ///   - policies: the position of every policy, by its name.
    ///   - keepsSubjects: whether an admission has the subject of its token.
    init(
        _ policy: GatewayPolicy, providers known: [String: ProviderRules], proofs: ProofChallengeTerms?, policies: [String: Int],
        keepsSubjects: Bool
    ) {
        var names: [String] = []
        requirement = policy.requirement.map { RequirementPart.parts(of: $0, &names) } ?? []
        let providers = names.compactMap { known[$0] }
        self.providers = LentObjects(providers)
        var places: [TokenPlace] = []
        for place in providers.flatMap(\.places) where !places.contains(place) { places.append(place) }
        self.places = LentObjects(places.map(PlaceRules.init))
        placesOf = providers.map { Positions($0.places.compactMap { places.firstIndex(of: $0) }) }
        keepingToken = Positions(providers.indices.lazy.filter { [providers] in !providers[$0].forwardsToken })
        var starts: [Int] = [], count = 0
        for provider in providers {
            starts.append(count)
            count += provider.slots.count
        }
        (valueStarts, valueCount) = (starts, count)
        keepsDocuments = providers.contains(where: \.keepsDocuments)
        self.keepsSubjects = keepsSubjects
        asksLists = providers.contains(where: \.asksLists)
        countsUses = providers.contains { $0.passesOnce || $0.proofs != nil }
        asksProofs = providers.contains { $0.proofs != nil }
        name = policy.name
        nameBytes = Array(policy.name.utf8)
        scopes = NameList(policy.scopes)
        audience = NameList(policy.resource.map { [$0] } ?? [])
        contextClasses = NameList(policy.contextClasses)
        authenticationSeconds = policy.maximumAuthenticationAge?.components.seconds
        let providerNames = providers.map(\.name)
        conditions = LentObjects(policy.claimRules.map { ClaimCondition($0, providers: providerNames) })
        challenge = ChallengeTerms(policy, proofs)
        redirect = policy.browserRedirect.flatMap { try? BrowserRedirect($0) }
        isDryRun = policy.mode == .dryRun
        shadow = policy.shadow.flatMap { policies[$0] }
    }

    /// What a token of the provider at this position needs beside its validity.
    func lack(of claims: borrowing Claims, from provider: Int, now: NumericDate) -> ProviderAnswer.Lack? {
        if !audience.isEmpty, !audience.lend(0, { claims.isFor($0) }) { return .validity(.audienceMismatch) }
        if let code = authenticationLack(of: claims, from: provider, now) { return .validity(code) }
        guard TokenScopes.contain(scopes, in: claims) else { return .scope }
        for place in conditions.indices where !conditions.lend(place, { $0.holds(in: claims, of: provider) }) { return .rule(place) }
        return nil
    }

    /// Why the user's authentication does not suffice (RFC 9470 section 5): a token that does not state it has none that does.
    private func authenticationLack(of claims: borrowing Claims, from provider: Int, _ now: NumericDate) -> VerificationError.Code? {
        if !contextClasses.isEmpty, !contextClasses.contains(where: { claims.hasContextClass($0) }) { return .contextClassMismatch }
        guard let authenticationSeconds else { return nil }
        guard let date = claims.authenticationTime else { return .authenticationTooOld }
        let leeway = providers.lend(provider) { $0.leewaySeconds }
        // The age of a login in the future would stay below the limit until that date.
        let isRecent = now < date.advanced(bySeconds: authenticationSeconds).advanced(bySeconds: leeway)
        return isRecent && date <= now.advanced(bySeconds: leeway) ? nil : .authenticationTooOld
    }

    /// Counts what status lists said about the tokens of a request.
    func countStatuses(_ memory: DecisionMemory) {
        guard asksLists else { return }
        for position in providers.indices {
            guard let verdict = memory.statuses[position] else { continue }
            providers.lend(position) { $0.count(verdict) }
        }
    }

    /// Whether one of these places is a parameter of the query.
    func haveParameter(_ places: Positions) -> Bool {
        for position in places where self.places.lend(position, { $0.isParameter }) { return true }
        return false
    }

    /// The places of these providers' tokens.
    func places(of providers: Positions) -> Positions {
        var places = Positions()
        for provider in providers { places.formUnion(placesOf[provider]) }
        return places
    }
}
