internal import JWKSCache
internal import JWTCore

/// A decision whose texts are in a ``DecisionMemory``.
public struct Verdict: Sendable {
    public let isAllowed: Bool
    /// The position of the policy in the configuration; nil if no route matched.
    public let policy: Int?
    /// The positions in the policy of the providers whose tokens were accepted; none for an anonymous request.
    let accepted: Positions
    /// Why the request is refused, or the refusal that dry run or a requirement of `allowFailed` turned into an admission.
    public let reason: DenialReason?
    /// For `Retry-After` of a 503, in seconds.
    public let retryAfter: Int?

    /// A refusal that no policy has caused.
    init(_ reason: DenialReason) {
        isAllowed = false
        policy = nil
        accepted = Positions()
        self.reason = reason
        retryAfter = nil
    }

    /// Turns a judgement into a decision.
    init(
        _ judgement: Judgement, _ request: RoutedRequest, _ policy: __shared PolicyRules, _ rules: __shared DecisionRules,
        _ memory: inout DecisionMemory
    ) {
        self.policy = request.policy
        switch judgement.outcome {
        case .success(let permission):
            isAllowed = true
            accepted = permission.accepted
            reason = permission.waived?.refusal.reason
            retryAfter = nil
            memory.admit(permission.accepted, policy, rules)
            // The upstream gets no token that was refused, and no accepted one that its provider keeps.
            let kept = permission.accepted.intersection(policy.keepingToken).union(permission.waived?.providers ?? Positions())
            memory.withhold(policy.places(of: kept).intersection(judgement.held), policy, request.request)
        case .failure(let refusal):
            isAllowed = policy.isDryRun
            accepted = Positions()
            reason = refusal.reason
            retryAfter = policy.retryAfter(refusal)
            if isAllowed {
                // In dry run a request reaches the upstream as it would without this policy, but without identity.
                memory.admit(Positions(), policy, rules)
                memory.withhold(policy.places(of: policy.keepingToken).intersection(judgement.held), policy, request.request)
            } else {
                memory.redirect(refusal.reason, policy, judgement.held, request.request)
            }
        }
        if let reason { memory.challenge(policy.challenge, reason) }
    }
}

extension PolicyRules {
    /// When the keys that are missing will be fetched next, from one second to a minute; a second for a status list
    /// and for the memory of uses.
    fileprivate func retryAfter(_ refusal: Refusal) -> Int? {
        if refusal.reason == .statusUnavailable || refusal.reason == .replayMemoryUnavailable { return 1 }
        guard refusal.lacksKeys, let provider = refusal.provider else { return nil }
        return Int(min(max(providers[provider].keys(ofIssuer: refusal.issuer).status.nextFetchIn.components.seconds + 1, 1), 60))
    }
}

extension DecisionMemory {
    /// Sets every claim's field: empty if no accepted token has its claim.
    fileprivate mutating func admit(_ accepted: Positions, _ policy: PolicyRules, _ rules: DecisionRules) {
        for slot in rules.fieldNames.indices { operations.append(FieldOperation(name: .claim(slot), value: 0..<0)) }
        for provider in accepted {
            var value = policy.valueStarts[provider]
            policy.providers.lend(provider) { rules in
                for place in rules.slots.indices {
                    let slot = rules.slots[place]
                    operations[slot] = FieldOperation(name: .claim(slot), value: values[value])
                    value += 1
                }
            }
        }
        if policy.keepsSubjects, let first = accepted.first, !subjects[first].isEmpty { subject = subjects[first] }
        guard policy.keepsDocuments else { return }
        for provider in accepted where policy.providers.lend(provider, { $0.keepsDocuments }) {
            keptDocuments.append((provider, documents[provider]))
        }
    }

    /// Removes the tokens of these places from the request for the upstream.
    fileprivate mutating func withhold(_ places: Positions, _ policy: PolicyRules, _ request: RequestView) {
        var cookies = Positions(), protocols = Positions()
        for position in places {
            policy.places.lend(position) { rules in
                switch rules.place {
                case .authorization: remove(.authorization)
                case .header: if !isRemoved(rules.place, policy) { remove(.place(position)) }
                case .query: removedParameters.insert(position)
                case .context: break
                case .cookie: cookies.insert(position)
                case .webSocketProtocol: protocols.insert(position)
                }
            }
        }
        if !cookies.isEmpty { rewrite(.cookie) { CookieField.append(without: cookies, of: policy, in: request, to: &$0) } }
        if !protocols.isEmpty {
            rewrite(.webSocketProtocol) { WebSocketProtocolField.append(without: protocols, of: policy, in: request, to: &$0) }
        }
        guard !removedParameters.isEmpty else { return }
        let start = bytes.count
        QueryParameters.append(request.target, without: removedParameters, of: policy, to: &bytes)
        target = start..<bytes.count
    }

    private mutating func remove(_ name: FieldOperation.Name) {
        for operation in operations where operation.name == name { return }
        operations.append(FieldOperation(name: name, value: nil))
    }

    /// Whether the field is removed for another token in it.
    private func isRemoved(_ place: TokenPlace, _ policy: PolicyRules) -> Bool {
        for operation in operations {
            if case .place(let other) = operation.name, policy.places.lend(other, { $0.place.excludes(place) }) { return true }
        }
        return false
    }

    /// Replaces a list by one without its tokens.
    private mutating func rewrite(_ name: FieldOperation.Name, _ append: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(&bytes)
        operations.append(FieldOperation(name: name, value: bytes.count > start ? start..<bytes.count : nil))
    }

    /// Sends a browser to the page of the policy where it would get a 401. The request stays refused.
    ///
    /// - Parameter held: the places with a token. One in the query is not repeated: it would be in the log of another server.
    fileprivate mutating func redirect(_ reason: DenialReason, _ policy: PolicyRules, _ held: Positions, _ request: RequestView) {
        guard let redirect = policy.redirect, reason.status == 401, request.isNavigation, !redirect.isTarget(of: request) else { return }
        let start = bytes.count
        redirect.append(request, withQuery: !policy.haveParameter(held), to: &bytes)
        location = start..<bytes.count
    }

    fileprivate mutating func challenge(_ terms: ChallengeTerms, _ reason: DenialReason) {
        let start = bytes.count
        terms.append(for: reason, to: &bytes)
        challenge = bytes.count > start ? start..<bytes.count : nil
    }
}
