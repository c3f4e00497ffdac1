internal import JWKSCache
internal import JWTCore

/// The judgement of one request by one policy. Nothing here waits.
struct Judgement {
    /// The result of each provider that was asked, by its position in the policy.
    private(set) var results: [Result<Grant, Refusal>?]
    let tokens: [PresentedToken]
    /// The places that hold a token, or several.
    let held: Positions
    private(set) var outcome: Result<Permission, Refusal>

    /// A requirement that holds.
    struct Permission {
        /// The providers whose tokens count. Their positions are in the order of the requirement.
        var accepted = Positions()
        /// The providers that may fail, with their refusal.
        var waived: (providers: Positions, refusal: Refusal)?
    }

    /// Judges `request` by `policy`, which need not be its own: a shadow is judged too.
    init(_ request: RoutedRequest, _ policy: PolicyRules, _ revocations: Revocations, now: NumericDate) {
        results = Array(repeating: nil, count: policy.providers.count)
        var tokens: [PresentedToken] = [], held = Positions()
        for place in policy.places {
            let token = place.token(in: request.request, query: request.target.query)
            if token != .none { held.insert(tokens.count) }
            tokens.append(token)
        }
        self.tokens = tokens
        self.held = held
        outcome = .success(Permission())
        guard let requirement = policy.requirement else { return }
        do throws(Refusal) {
            try refuseSeveral(policy)
            let evaluation = Evaluation(policy: policy, revocations: revocations, now: now)
            let permission = try evaluation.evaluate(requirement, request, &self)
            try refuseSuperfluous(permission, policy)
            try refuseMissingScope(permission)
            outcome = .success(permission)
        } catch {
            outcome = .failure(error)
        }
    }

    /// The providers without keys, while their tokens decide the outcome: waiting for a fetch may change it.
    var providersWithoutKeys: [Int] {
        switch outcome {
        case .success(let permission) where permission.waived == nil: return []
        default: return results.indices.filter { if case .failure(let refusal)? = results[$0] { refusal.lacksKeys } else { false } }
        }
    }

    /// The grants of the accepted tokens.
    func grants(_ permission: Permission) -> [Grant] {
        permission.accepted.compactMap { if case .success(let grant)? = results[$0] { grant } else { nil } }
    }

    fileprivate mutating func note(_ result: Result<Grant, Refusal>, _ provider: Int) { results[provider] = result }

    /// RFC 6750 section 2: a client uses one method to send a token. A sender of several tokens hopes that two readers
    /// take different ones.
    private func refuseSeveral(_ policy: PolicyRules) throws(Refusal) {
        guard !tokens.contains(.several) else { throw Refusal(.severalTokens) }
        for (provider, places) in policy.placesOf.enumerated() where places.intersection(held).count > 1 {
            throw Refusal(.severalTokens, provider: provider)
        }
    }

    /// A token beside those that count was not verified, and must not reach the upstream as if it had been.
    private func refuseSuperfluous(_ permission: Permission, _ policy: PolicyRules) throws(Refusal) {
        var used = policy.places(of: permission.accepted)
        if let waived = permission.waived { used.formUnion(policy.places(of: waived.providers)) }
        guard held.isSubset(of: used) else { throw Refusal(.severalTokens) }
    }

    private func refuseMissingScope(_ permission: Permission) throws(Refusal) {
        for provider in permission.accepted {
            if case .success(let grant)? = results[provider], !grant.hasScopes { throw Refusal(.insufficientScope, provider: provider) }
        }
    }
}

/// Evaluates a requirement.
private struct Evaluation {
    let policy: PolicyRules
    let revocations: Revocations
    let now: NumericDate

    func evaluate(
        _ requirement: RequirementRules, _ request: RoutedRequest, _ judgement: inout Judgement
    ) throws(Refusal) -> Judgement.Permission {
        switch requirement {
        case .provider(let provider):
            _ = try result(provider, request, &judgement).get()
            return Judgement.Permission(accepted: Positions(provider))
        case .all(let members):
            var permission = Judgement.Permission()
            for member in members { permission.add(try evaluate(member, request, &judgement)) }
            return permission
        case .any(let members, let allowance, let providers): return try evaluate(any: members, allowance, providers, request, &judgement)
        }
    }

    private func evaluate(
        any members: [RequirementRules], _ allowance: RequirementRules.Allowance?, _ providers: Positions,
        _ request: RoutedRequest, _ judgement: inout Judgement
    ) throws(Refusal) -> Judgement.Permission {
        var worst = Refusal(.missingToken)
        for member in members {
            do throws(Refusal) {
                return try evaluate(member, request, &judgement)
            } catch {
                if error.rank > worst.rank { worst = error }
            }
        }
        let hasToken = !policy.places(of: providers).intersection(judgement.held).isEmpty
        guard let allowance, allowance == .failed || !hasToken else { throw worst }
        return Judgement.Permission(waived: hasToken ? (providers, worst) : nil)
    }

    /// The provider's verdict on its token. A provider that a requirement names twice is asked once.
    private func result(_ position: Int, _ request: RoutedRequest, _ judgement: inout Judgement) -> Result<Grant, Refusal> {
        if let known = judgement.results[position] { return known }
        let result = verify(position, request, judgement.tokens)
        judgement.note(result, position)
        return result
    }

    private func verify(_ position: Int, _ request: RoutedRequest, _ tokens: [PresentedToken]) -> Result<Grant, Refusal> {
        for place in policy.placesOf[position] {
            switch tokens[place] {
            case .one(.field(let field, let range)):
                return verify(position, place, request.request.fieldValue(field).extracting(range))
            case .one(.query(let range)): return verify(position, place, request.target.query.extracting(range))
            case .one(.decoded(let token)): return verify(position, place, token.span)
            case .none, .several: continue
            }
        }
        return .failure(Refusal(.missingToken, provider: position))
    }

    private func verify(_ position: Int, _ place: Int, _ token: Span<UInt8>) -> Result<Grant, Refusal> {
        let provider = policy.providers[position]
        do throws(VerificationError) {
            return try provider.withVerified(token, now: now) { claims in
                Grant.grant(for: claims, of: token, provider, position: position, place: place, scopes: policy.scopes, revocations)
            }
        } catch {
            return .failure(Refusal(.token(error), provider: position))
        }
    }
}

extension Judgement.Permission {
    /// Adds another requirement that holds too.
    fileprivate mutating func add(_ other: Self) {
        accepted.formUnion(other.accepted)
        guard let more = other.waived else { return }
        guard var known = waived else { return waived = more }
        known.providers.formUnion(more.providers)
        waived = known
    }
}
