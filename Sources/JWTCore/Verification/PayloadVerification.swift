/// The verification of a JWS with any payload. Of the policy only algorithms and types apply.
struct PayloadVerification {
    let limits: TokenLimits

    /// Verifies a JWS and lends its payload.
    func withPayload<Result>(
        _ bytes: Span<UInt8>, _ rules: Rules<some KeySource>, _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        let parts = try DecodedParts(token, limits: limits, leaving: .payload)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return try withPayload(token, parts, &headerTape, rules, body)
    }

    private func withPayload<Result>(
        _ token: CompactToken, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>,
        _ rules: Rules<some KeySource>, _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try rules.policy.evaluate(header)
        let payload = try DecodedPart(token.payload, base: token.payloadOffset, isUnencoded: header.isUnencoded)
        _ = try rules.verifySignature(header, message: token.signingInput, signature: parts.signature, limits)
        return body(payload.bytes, header)
    }

    /// Verifies a JWS with a detached payload. The signed bytes are concatenated first, so this allocates.
    func verifyDetached(
        _ bytes: Span<UInt8>, _ payload: Span<UInt8>, _ rules: Rules<some KeySource>
    ) throws(VerificationError) {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        let parts = try DecodedParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        try verifyDetached(token, parts, &headerTape, payload, rules)
    }

    private func verifyDetached(
        _ token: CompactToken, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>, _ payload: Span<UInt8>,
        _ rules: Rules<some KeySource>
    ) throws(VerificationError) {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try rules.policy.evaluate(header)
        let body = Array(copying: payload)
        let message = Array(copying: token.signingInput) + (header.isUnencoded ? body : Base64URL.encode(body))
        _ = try rules.verifySignature(header, message: message.span, signature: parts.signature, limits)
    }
}
