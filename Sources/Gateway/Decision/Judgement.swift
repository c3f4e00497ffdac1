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
struct EvaluationTerms {
    let now: NumericDate
    /// The places that hold a token.
    let held: Positions
    /// The place of the token that is verified.
    var place = 0
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
        var terms = terms
        for place in placesOf[position] {
            terms.place = place
            switch memory.tokens[place] {
            case .one(.field(let field, let range)):
                return verify(position, request.request.fieldValue(field).extracting(range), request, terms, revocations, &memory)
            case .one(.fieldInBase64URL(let field, let range)):
                return verify(
                    position, inBase64URL: request.request.fieldValue(field).extracting(range), request, terms, revocations, &memory)
            case .one(.context(let entry)):
                return verify(position, request.request.contextValue(entry), request, terms, revocations, &memory)
            case .one(.query(let range)):
                return verify(position, request.target.query.extracting(range), request, terms, revocations, &memory)
            case .one(.encoded(let range)): return verify(position, encoded: range, request, terms, revocations, &memory)
            case .none, .several: continue
            }
        }
        return .refused(Refusal(.missingToken, provider: position))
    }

    /// What is no base64url is no token.
    private func verify(
        _ position: Int, inBase64URL text: Span<UInt8>, _ request: RoutedRequest, _ terms: EvaluationTerms, _ revocations: Revocations,
        _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        var decoded: [UInt8] = []
        swap(&decoded, &memory.decoded)
        defer { swap(&decoded, &memory.decoded) }
        guard decoded.replace(byBase64URL: text) else {
            return .refused(Refusal(.token(VerificationError(.malformedToken)), provider: position))
        }
        return verify(position, decoded.span, request, terms, revocations, &memory)
    }

    private func verify(
        _ position: Int, encoded range: Range<Int>, _ request: RoutedRequest, _ terms: EvaluationTerms, _ revocations: Revocations,
        _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        var text = FormText(range), decoded: [UInt8] = []
        swap(&decoded, &memory.decoded)
        defer { swap(&decoded, &memory.decoded) }
        decoded.removeAll(keepingCapacity: true)
        while let byte = text.next(in: request.target.query) { decoded.append(byte) }
        return verify(position, decoded.span, request, terms, revocations, &memory)
    }

    private func verify(
        _ position: Int, _ token: Span<UInt8>, _ request: RoutedRequest, _ terms: EvaluationTerms, _ revocations: Revocations,
        _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        do throws(VerificationError) {
            return try providers.lend(position) { provider throws(VerificationError) in
                if provider.introspects(token) {
                    return try introspect(position, token, provider, request, terms, revocations, &memory)
                }
                return try provider.withVerified(token, now: terms.now) { claims in
                    take(claims, of: token, sentAs: token, position, provider, request, terms, revocations, &memory)
                }
            }
        } catch {
            if error.code == .encryptedToken || error.code == .tokenTooLarge {
                return verify(position, encrypted: token, error, request, terms, revocations, &memory)
            }
            return refusal(error, of: position, token)
        }
    }

    /// Opens an encrypted token where the provider has keys for it, and verifies the one inside. The outer token is larger than a signed
    /// one may be. This allocates.
    private func verify(
        _ position: Int, encrypted token: Span<UInt8>, _ error: VerificationError, _ request: RoutedRequest, _ terms: EvaluationTerms,
        _ revocations: Revocations, _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        var inner: [UInt8] = []
        do throws(VerificationError) {
            return try providers.lend(position) { provider throws(VerificationError) in
                guard let opened = try provider.opened(token) else { throw error }
                inner = opened
                return try provider.withVerified(inner: inner.span, now: terms.now) { claims in
                    take(claims, of: inner.span, sentAs: token, position, provider, request, terms, revocations, &memory)
                }
            }
        } catch {
            return refusal(error, of: position, inner.span)
        }
    }

    /// Judges the claims of a token that is verified, or that the authorization server calls active: first by its proof, which was made for
    /// the token as it was sent (RFC 9449 section 4.2).
    ///
    /// - Parameters:
    ///   - token: whose payload the upstream gets: the one inside of an encrypted token.
    ///   - sent: the token of the request.
    func take(
        _ claims: borrowing Claims, of token: Span<UInt8>, sentAs sent: Span<UInt8>, _ position: Int, _ provider: ProviderRules,
        _ request: RoutedRequest, _ terms: EvaluationTerms, _ revocations: Revocations, _ memory: inout DecisionMemory
    ) -> ProviderAnswer {
        if provider.proofs != nil, let denial = memory.denial(byProofOf: claims, sent, request, position, terms, self) {
            return .refused(Refusal(denial, provider: position))
        }
        return memory.take(claims, of: token, position, provider, self, revocations, now: terms.now)
    }

    private func refusal(_ error: VerificationError, of position: Int, _ token: Span<UInt8>) -> ProviderAnswer {
        let issuer = error.code == .keysUnavailable ? providers.lend(position) { $0.issuer(of: token) } : 0
        return .refused(Refusal(.token(error), provider: position, issuer: issuer))
    }
}

extension DecisionMemory {
    /// Judges claims whose token the verifier has accepted, or the authorization server calls active, and keeps the values for the
    /// upstream.
    ///
    /// - Returns: a refusal as `revoked`, by the token's status, by its use or as `claims_too_large`, or what the token grants.
    fileprivate mutating func take(
        _ claims: borrowing Claims, of token: Span<UInt8>, _ position: Int, _ provider: ProviderRules, _ policy: PolicyRules,
        _ revocations: Revocations, now: NumericDate
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
            if provider.introspects(token) { append(payload: claims.payload) } else { append(payloadOf: token) }
            if provider.padsPayload { pad(from: first) }
            values[value] = first..<bytes.count
        }
        guard bytes.count - start <= provider.limits.totalBytes else { return tooLarge(position, from: start) }
        keepDocuments(of: token, position, provider)
        if policy.keepsSubjects { keepSubject(of: claims, position) }
        return .granted(lack: policy.lack(of: claims, from: position, now: now))
    }

    /// Why the token's proof does not admit it; nil if it does, or a bearer token needs none.
    fileprivate mutating func denial(
        byProofOf claims: borrowing Claims, _ token: Span<UInt8>, _ request: RoutedRequest, _ position: Int, _ terms: EvaluationTerms,
        _ policy: PolicyRules
    ) -> DenialReason? {
        let provider = policy.providers[position], isOfScheme = policy.places.lend(terms.place) { $0.isOfProofScheme }
        do throws(VerificationError) {
            let use = try provider.proofs?.use(claims, of: token, request.request, isOfScheme: isOfScheme, now: terms.now)
            // A token that passes once comes with one proof.
            guard let use, !provider.passesOnce else { return nil }
            return uses.refusal(of: use, from: position)
        } catch {
            return .token(error)
        }
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

    private mutating func append(payloadOf token: Span<UInt8>) { bytes.append(token.extracting(token.encodedDocuments.payload)) }

    /// Of an opaque token the answer itself, as RFC 7662 has it.
    private mutating func append(payload: Span<UInt8>) { bytes += Base64URL.encode(Array(copying: payload)) }

    /// Adds the padding of base64 to what stands from `first` on.
    private mutating func pad(from first: Int) {
        while (bytes.count - first) % 4 != 0 { bytes.append(UInt8(ascii: "=")) }
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
