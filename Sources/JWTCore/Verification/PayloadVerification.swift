/// The verification of a JWS with any payload. Of the policy only algorithms and types apply.
struct PayloadVerification {
    let limits: TokenLimits

    /// Verifies a JWS and lends its payload.
    func verify<Result>(
        _ bytes: Span<UInt8>, by rules: Rules, _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        let parts = try TokenParts(token, limits: limits, leaving: .payload)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return try verify(parts, by: rules, &headerTape, body)
    }

    private func verify<Result>(
        _ parts: borrowing TokenParts, by rules: Rules, _ headerTape: inout Scratch<JSONNode>,
        _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try rules.evaluate(header)
        let payload = try DecodedPart(parts.token.payload, base: parts.token.payloadOffset, isUnencoded: header.isUnencoded)
        _ = try rules.verifySignature(of: parts, header, limits)
        return body(payload.bytes, header)
    }

    /// Verifies a JWS with a detached payload. The signed bytes are concatenated first, so this allocates.
    func verifyDetached(
        _ bytes: Span<UInt8>, _ payload: Span<UInt8>, by rules: Rules
    ) throws(VerificationError) {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        let parts = try TokenParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        try verifyDetached(parts, payload, by: rules, &headerTape)
    }

    private func verifyDetached(
        _ parts: borrowing TokenParts, _ payload: Span<UInt8>, by rules: Rules, _ headerTape: inout Scratch<JSONNode>
    ) throws(VerificationError) {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try rules.evaluate(header)
        let body = Array(copying: payload)
        let message = Array(copying: parts.token.signingInput) + (header.isUnencoded ? body : Base64URL.encode(body))
        _ = try rules.verifySignature(header, message: message.span, signature: parts.signature, limits)
    }
}
