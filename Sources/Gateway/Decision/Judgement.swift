internal import JWTCore

/// The judgement of one request by one policy. Nothing here waits. What it learns of tokens is in a ``DecisionMemory``.
struct Judgement: Sendable {
    /// The places that hold a token, or several.
    private(set) var held = Positions()
    private(set) var outcome = Result<Permission, Refusal>.success(Permission())

    /// A requirement that holds.
    struct Permission: Sendable {
        /// The providers whose tokens count. Their positions are in the order of the requirement.
        var accepted = Positions()
        /// The providers that may fail, with their refusal.
        var waived: (providers: Positions, refusal: Refusal)?
    }

    /// Judges `request` by `policy`, which need not be its own: a shadow is judged too.
    ///
    /// An initialiser owns its arguments, and counts a reference for each, unless they are shared.
    init(
        _ request: RoutedRequest, _ policy: __shared PolicyRules, _ revocations: __shared Revocations, now: NumericDate,
        _ memory: inout DecisionMemory
    ) {
        memory.begin(policy)
        var isRepeated = false
        for place in policy.places.indices {
            let token = policy.places.lend(place) { $0.token(in: request) }
            if token != .none { held.insert(place) }
            isRepeated = isRepeated || token == .several
            memory.tokens.append(token)
        }
        // A browser sends a preflight without credentials. With some it is judged as every request.
        guard !policy.requirement.isEmpty, !request.isPreflight || !held.isEmpty else { return }
        let terms = EvaluationTerms(now: now, held: held)
        do throws(Refusal) {
            guard !isRepeated else { throw Refusal(.severalTokens) }
            try refuseSeveral(policy)
            let permission = try policy.evaluate(0, request, terms, revocations, &memory)
            try refuseSuperfluous(permission, policy)
            try Self.refuseLacking(permission, memory.answers)
            outcome = .success(permission)
        } catch {
            outcome = .failure(error)
        }
    }

    /// The providers without keys, while their tokens decide the outcome: waiting for a fetch may change it.
    func providersWithoutKeys(_ memory: DecisionMemory) -> Positions {
        if case .success(let permission) = outcome, permission.waived == nil { return Positions() }
        var providers = Positions()
        for place in memory.answers.indices {
            if case .refused(let refusal) = memory.answers[place], refusal.lacksKeys { providers.insert(place) }
        }
        return providers
    }

    /// Whether a fetch of keys or of a status list may change the outcome.
    func mayChange(_ memory: DecisionMemory) -> Bool {
        if case .success(let permission) = outcome, permission.waived == nil { return false }
        return !memory.awaited.isEmpty || !providersWithoutKeys(memory).isEmpty
    }

    /// The uses of tokens that count and about which the memory has not been asked. Where the requirement does not hold, no token is used.
    func openUses(_ memory: DecisionMemory) -> [TokenUse] {
        guard case .success(let permission) = outcome else { return [] }
        return memory.uses.open(of: permission.accepted)
    }

    /// RFC 6750 section 2: a client uses one method to send a token. A sender of several tokens hopes that two readers
    /// take different ones.
    private func refuseSeveral(_ policy: PolicyRules) throws(Refusal) {
        for provider in policy.placesOf.indices where policy.placesOf[provider].intersection(held).count > 1 {
            throw Refusal(.severalTokens, provider: provider)
        }
    }

    /// A token beside those that count was not verified, and must not reach the upstream as if it had been.
    private func refuseSuperfluous(_ permission: Permission, _ policy: PolicyRules) throws(Refusal) {
        var used = policy.places(of: permission.accepted)
        if let waived = permission.waived { used.formUnion(policy.places(of: waived.providers)) }
        guard held.isSubset(of: used) else { throw Refusal(.severalTokens) }
    }

    private static func refuseLacking(_ permission: Permission, _ answers: [ProviderAnswer]) throws(Refusal) {
        for provider in permission.accepted {
            if case .granted(let lack?) = answers[provider] { throw Refusal(lack.reason, provider: provider) }
        }
    }
}

extension Judgement.Permission {
    /// Adds another requirement that holds too.
    mutating func add(_ other: Self) {
        accepted.formUnion(other.accepted)
        guard let more = other.waived else { return }
        guard var known = waived else { return waived = more }
        known.providers.formUnion(more.providers)
        waived = known
    }
}
