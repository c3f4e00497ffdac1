internal import JWKSCache
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

/// What an evaluation needs beside the policy and the request. It has no references: a structure counts those that it is made with.
private struct EvaluationTerms {
    let now: NumericDate
    /// The places that hold a token.
    let held: Positions
}

/// Evaluates a requirement.
extension PolicyRules {
    /// - Parameter place: of the part of the requirement.
    fileprivate func evaluate(
        _ place: Int, _ request: RoutedRequest, _ terms: EvaluationTerms, _ revocations: Revocations, _ memory: inout DecisionMemory
    ) throws(Refusal) -> Judgement.Permission {
        let part = requirement[place]
        switch part.kind {
        case .provider(let provider):
            if case .refused(let refusal) = answer(provider, request, terms, revocations, &memory) { throw refusal }
            return Judgement.Permission(accepted: Positions(provider))
        case .all:
            var permission = Judgement.Permission(), member = part.firstMember
            while member < part.end {
                permission.add(try evaluate(member, request, terms, revocations, &memory))
                member = requirement[member].end
            }
            return permission
        case .any(let allowance): return try evaluate(any: part, allowance, request, terms, revocations, &memory)
        }
    }

    private func evaluate(
        any part: RequirementPart, _ allowance: RequirementPart.Allowance?, _ request: RoutedRequest, _ terms: EvaluationTerms,
        _ revocations: Revocations, _ memory: inout DecisionMemory
    ) throws(Refusal) -> Judgement.Permission {
        var worst = Refusal(.missingToken), member = part.firstMember
        while member < part.end {
            do throws(Refusal) {
                return try evaluate(member, request, terms, revocations, &memory)
            } catch {
                if error.rank > worst.rank { worst = error }
            }
            member = requirement[member].end
        }
        let hasToken = !places(of: part.providers).intersection(terms.held).isEmpty
        guard let allowance, allowance == .failed || !hasToken else { throw worst }
        return Judgement.Permission(waived: hasToken ? (part.providers, worst) : nil)
    }

    /// The provider's answer about its token. A provider that a requirement names twice is asked once.
    private func answer(
        _ position: Int, _ request: RoutedRequest, _ terms: EvaluationTerms, _ revocations: Revocations, _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        if case .unasked = memory.answers[position] { memory.answers[position] = verify(position, request, terms, revocations, &memory) }
        return memory.answers[position]
    }

    private func verify(
        _ position: Int, _ request: RoutedRequest, _ terms: EvaluationTerms, _ revocations: Revocations, _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        for place in placesOf[position] {
            switch memory.tokens[place] {
            case .one(.field(let field, let range)):
                return verify(position, request.request.fieldValue(field).extracting(range), terms, revocations, &memory)
            case .one(.fieldInBase64URL(let field, let range)):
                return verify(position, inBase64URL: request.request.fieldValue(field).extracting(range), terms, revocations, &memory)
            case .one(.context(let entry)): return verify(position, request.request.contextValue(entry), terms, revocations, &memory)
            case .one(.query(let range)): return verify(position, request.target.query.extracting(range), terms, revocations, &memory)
            case .one(.encoded(let range)): return verify(position, encoded: range, in: request.target.query, terms, revocations, &memory)
            case .none, .several: continue
            }
        }
        return .refused(Refusal(.missingToken, provider: position))
    }

    /// What is no base64url is no token.
    private func verify(
        _ position: Int, inBase64URL text: Span<UInt8>, _ terms: EvaluationTerms, _ revocations: Revocations, _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        var decoded: [UInt8] = []
        swap(&decoded, &memory.decoded)
        defer { swap(&decoded, &memory.decoded) }
        guard decoded.replace(byBase64URL: text) else {
            return .refused(Refusal(.token(VerificationError(.malformedToken)), provider: position))
        }
        return verify(position, decoded.span, terms, revocations, &memory)
    }

    private func verify(
        _ position: Int, encoded range: Range<Int>, in query: Span<UInt8>, _ terms: EvaluationTerms, _ revocations: Revocations,
        _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        var text = FormText(range), decoded: [UInt8] = []
        swap(&decoded, &memory.decoded)
        defer { swap(&decoded, &memory.decoded) }
        decoded.removeAll(keepingCapacity: true)
        while let byte = text.next(in: query) { decoded.append(byte) }
        return verify(position, decoded.span, terms, revocations, &memory)
    }

    private func verify(
        _ position: Int, _ token: Span<UInt8>, _ terms: EvaluationTerms, _ revocations: Revocations, _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        do throws(VerificationError) {
            return try providers.lend(position) { provider throws(VerificationError) in
                try provider.withVerified(token, now: terms.now) { claims in
                    memory.take(claims, of: token, position, provider, self, revocations)
                }
            }
        } catch {
            let issuer = error.code == .keysUnavailable ? providers.lend(position) { $0.issuer(of: token) } : 0
            return .refused(Refusal(.token(error), provider: position, issuer: issuer))
        }
    }
}

extension DecisionMemory {
    /// Judges claims whose token the verifier has accepted, and keeps the values for the upstream.
    ///
    /// - Returns: a refusal as `revoked`, by the token's status, by its use or as `claims_too_large`, or what the token grants.
    fileprivate mutating func take(
        _ claims: borrowing Claims, of token: Span<UInt8>, _ position: Int, _ provider: ProviderRules, _ policy: PolicyRules,
        _ revocations: Revocations
    ) -> ProviderAnswer {
        guard !revocations.revoke(claims) else { return .refused(Refusal(.revoked, provider: position)) }
        if provider.asksLists, let denial = provider.denial(byStatusOf: claims, &statuses[position], &awaited) {
            return .refused(Refusal(denial, provider: position))
        }
        if provider.passesOnce, let denial = denial(byUseOf: claims, position, provider) {
            return .refused(Refusal(denial, provider: position))
        }
        let start = bytes.count
        var value = policy.valueStarts[position]
        for place in provider.fields.indices {
            let first = bytes.count
            provider.fields.lend(place) { $0.append(claims.value, to: &bytes) }
            guard bytes.count - first <= provider.limits.valueBytes else { return tooLarge(position, from: start) }
            values[value] = first..<bytes.count
            value += 1
        }
        if provider.keepsPayload {
            let first = bytes.count
            appendPayload(of: token, isPadded: provider.padsPayload)
            values[value] = first..<bytes.count
        }
        guard bytes.count - start <= provider.limits.totalBytes else { return tooLarge(position, from: start) }
        keepDocuments(of: token, position, provider)
        if policy.keepsSubjects { keepSubject(of: claims, position) }
        return .granted(lack: policy.lack(of: claims, from: position))
    }

    private mutating func denial(byUseOf claims: borrowing Claims, _ position: Int, _ provider: ProviderRules) -> DenialReason? {
        do throws(VerificationError) {
            return uses.refusal(of: try TokenUse(of: claims, leeway: provider.leewayOfUses), from: position)
        } catch {
            return .token(error)
        }
    }

    /// Decodes what a host may keep as metadata.
    private mutating func keepDocuments(of token: Span<UInt8>, _ position: Int, _ provider: ProviderRules) {
        guard provider.keepsDocuments else { return }
        let encoded = token.encodedDocuments
        if provider.headerMetadata != nil { documents[position].header = append(base64URL: token.extracting(encoded.header)) }
        if provider.payloadMetadata != nil { documents[position].payload = append(base64URL: token.extracting(encoded.payload)) }
    }

    /// A long subject is cut: it is for a log.
    private mutating func keepSubject(of claims: borrowing Claims, _ position: Int) {
        guard let subject = claims.subject else { return }
        let start = bytes.count
        FieldText.append(subject, to: &bytes)
        bytes.removeLast(max(0, bytes.count - start - Self.mostSubjectBytes))
        subjects[position] = start..<bytes.count
    }

    private static let mostSubjectBytes = 256

    private mutating func tooLarge(_ provider: Int, from start: Int) -> ProviderAnswer {
        bytes.removeLast(bytes.count - start)
        return .refused(Refusal(.claimsTooLarge, provider: provider))
    }

    private mutating func appendPayload(of token: Span<UInt8>, isPadded: Bool) {
        let payload = token.encodedDocuments.payload
        bytes.append(token.extracting(payload))
        var count = payload.count
        while isPadded, count % 4 != 0 {
            bytes.append(UInt8(ascii: "="))
            count += 1
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
