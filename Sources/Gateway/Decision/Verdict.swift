internal import JWKSCache
internal import JWTCore

/// Turns a judgement into a decision.
struct Verdict: ~Escapable {
    private let rules: DecisionRules
    private let request: RoutedRequest
    private let judgement: Judgement

    @_lifetime(copy request)
    init(rules: DecisionRules, request: RoutedRequest, judgement: Judgement) {
        self.rules = rules
        self.request = request
        self.judgement = judgement
    }

    private var policy: PolicyRules { rules.policies[request.policy] }

    var decision: Decision {
        switch judgement.outcome {
        case .success(let permission): return .allowed(admission(permission))
        case .failure(let refusal):
            let denial = denial(refusal)
            return policy.isDryRun ? .allowed(anonymous(denial)) : .denied(denial)
        }
    }

    private func admission(_ permission: Judgement.Permission) -> Admission {
        let grants = judgement.grants(permission)
        var values = Array(repeating: "", count: rules.fieldNames.count)
        for grant in grants {
            let provider = policy.providers[grant.provider]
            for (slot, value) in zip(provider.slots, grant.values) { values[slot] = value }
            if let slot = provider.payloadSlot { values[slot] = grant.payload ?? "" }
        }
        // The upstream gets no token that was refused, and no accepted one that its provider keeps.
        var kept = permission.waived?.providers ?? Positions()
        for provider in permission.accepted where !policy.providers[provider].forwardsToken { kept.insert(provider) }
        let first = permission.accepted.first.map { policy.providers[$0].name }
        return admission(values, withholding: kept, provider: first, waived: permission.waived.map { denial($0.refusal) })
    }

    /// In dry run a request reaches the upstream as it would without this policy, but without identity.
    private func anonymous(_ denial: Denial) -> Admission {
        let kept = policy.providers.indices.filter { !policy.providers[$0].forwardsToken }
        let values = Array(repeating: "", count: rules.fieldNames.count)
        return admission(values, withholding: Positions(kept), provider: nil, waived: denial)
    }

    private func admission(_ values: [String], withholding providers: Positions, provider: String?, waived: Denial?) -> Admission {
        var upstream = UpstreamChange(fields: zip(rules.fieldNames, values).map { Field(lowercased: $0, $1) })
        for place in policy.places(of: providers).intersection(judgement.held) { upstream.withhold(policy.places[place], request.request) }
        return Admission(
            policy: policy.name, fields: upstream.fields, removed: upstream.removed, removedParameters: upstream.removedParameters,
            provider: provider, waived: waived)
    }

    private func denial(_ refusal: Refusal) -> Denial {
        Denial(
            policy: policy.name, reason: refusal.reason, status: refusal.reason.status,
            challenge: policy.challenge.challenge(for: refusal.reason), retryAfter: retryAfter(refusal))
    }

    /// When the keys that are missing will be fetched next, from one second to a minute.
    private func retryAfter(_ refusal: Refusal) -> Duration? {
        guard refusal.lacksKeys, let provider = refusal.provider else { return nil }
        let due = policy.providers[provider].keys.status.nextFetchIn
        return .seconds(min(max(due.components.seconds + 1, 1), 60))
    }
}

/// What changes between the client's request and the upstream's.
private struct UpstreamChange {
    var fields: [Field]
    var removed: [String] = []
    var removedParameters: [String] = []
    /// The cookies to remove. They are removed together: each removal rewrites the field.
    private var cookies: [[UInt8]] = []

    init(fields: [Field]) { self.fields = fields }

    mutating func withhold(_ place: TokenPlace, _ request: RequestView) {
        switch place {
        case .authorization: if !removed.contains("authorization") { removed.append("authorization") }
        case .header(let bytes, _):
            let name = String(decoding: bytes, as: UTF8.self)
            if !removed.contains(name) { removed.append(name) }
        case .query(let name): removedParameters.append(String(decoding: name.bytes, as: UTF8.self))
        case .cookie(let name):
            cookies.append(name.bytes)
            rewriteCookies(request)
        }
    }

    private mutating func rewriteCookies(_ request: RequestView) {
        fields.removeAll { $0.name == "cookie" }
        removed.removeAll { $0 == "cookie" }
        guard let rest = CookieField.value(without: cookies, in: request) else { return removed.append("cookie") }
        fields.append(Field(lowercased: "cookie", rest))
    }
}
