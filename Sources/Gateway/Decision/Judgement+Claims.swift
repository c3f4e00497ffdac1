internal import JWTCore

extension DecisionMemory {
    /// Judges claims whose token the verifier has accepted, or the authorization server calls active, and keeps the values for the
    /// upstream.
    ///
    /// - Returns: a refusal as `revoked`, by the token's status, by its use or as `claims_too_large`, or what the token grants.
    mutating func take(
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
    mutating func denial(
        byProofOf claims: borrowing Claims, _ token: Span<UInt8>, _ request: RoutedRequest, _ position: Int, _ terms: EvaluationTerms,
        _ policy: PolicyRules
    ) -> DenialReason? {
        let provider = policy.providers[position], isOfScheme = policy.places.lend(terms.place) { $0.isOfProofScheme }
        do throws(VerificationError) {
            let use = try provider.proofs?.use(claims, of: token, request.request, isOfScheme: isOfScheme, now: terms.now)
            if let nonce = use?.nextNonce { uses.nextNonce = nonce }
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
