internal import JWTCore

extension PolicyRules {
    /// Asks the authorization server about a token that is not verified here, and judges the claims of its answer.
    ///
    /// - Parameter position: of the provider, which introspects.
    /// - Throws: the rule of the provider's policy that the claims break.
    func introspect(
        _ position: Int, _ token: Span<UInt8>, _ provider: ProviderRules, _ request: RoutedRequest, _ terms: EvaluationTerms,
        _ revocations: Revocations, _ memory: inout DecisionMemory
    ) throws(VerificationError) -> ProviderAnswer {
        let active: IntrospectedToken
        do throws(Denial) {
            active = try provider.introspections.lend(0) { rules throws(Denial) in try rules.active(token, &memory.awaited) }
        } catch {
            return .refused(Refusal(error.reason, provider: position))
        }
        return try provider.introspections.lend(0) { rules throws(VerificationError) in
            try rules.withClaims(of: active, now: terms.now) { claims in
                take(claims, of: token, sentAs: token, position, provider, request, terms, revocations, &memory)
            }
        }
    }
}
