internal import JWTCore

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
    func evaluate(
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
                guard let opened = try provider.opened(token, attempts: &memory.decryptions) else { throw error }
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
        if let denial = Self.denial(byConfirmationOf: claims, sent, provider, request) {
            return .refused(Refusal(denial, provider: position))
        }
        if provider.proofs != nil, let denial = memory.denial(byProofOf: claims, sent, request, position, terms, self) {
            return .refused(Refusal(denial, provider: position))
        }
        return memory.take(claims, of: token, position, provider, self, revocations, now: terms.now)
    }

    /// Why what the token is bound to does not admit it; nil if it does, or nobody asks.
    @inline(__always)
    private static func denial(
        byConfirmationOf claims: borrowing Claims, _ token: Span<UInt8>, _ provider: ProviderRules, _ request: RoutedRequest
    ) -> DenialReason? {
        guard let rules = provider.confirmations else { return nil }
        do throws(VerificationError) {
            try rules.check(claims, isAnswer: provider.introspects(token), request.request)
            return nil
        } catch {
            return .token(error)
        }
    }

    private func refusal(_ error: VerificationError, of position: Int, _ token: Span<UInt8>) -> ProviderAnswer {
        let issuer = error.code == .keysUnavailable ? providers.lend(position) { $0.issuer(of: token) } : 0
        return .refused(Refusal(.token(error), provider: position, issuer: issuer))
    }
}
