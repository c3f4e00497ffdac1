/// The issuer that a payload seems to name before its signature is verified. To read a hostile payload whole would cost more than the check
/// of its signature.
struct UnverifiedIssuer {
    let limits: TokenLimits
    /// The offset of the payload in the token, for errors.
    let base: Int

    /// - Throws: `missing_claim`, `invalid_claim`, `token_too_large`; of a short payload also the codes of form.
    @_lifetime(copy payload)
    func name(in payload: Span<UInt8>, _ tape: inout Scratch<JSONNode>) throws(VerificationError) -> JSONString {
        if let issuer = payload.unverifiedIssuer { return issuer }
        if payload.count > TokenLimits.escapedNameBytes { try payload.refuseWithoutIssuer() }
        let record = try self.record(in: payload, &tape)
        return JSONString(payload.extracting(record.range), isEscaped: record.flag)
    }

    /// The record of the issuer in a short payload, read whole: its name has an escape, or the payload is refused.
    private func record(in payload: Span<UInt8>, _ tape: inout Scratch<JSONNode>) throws(VerificationError) -> JSONNode {
        let payload = try JSONValue(payload, tape: &tape, limits: limits.json, base: base)
        guard payload.isObject else { throw VerificationError(.invalidClaim, at: base) }
        guard let issuer = payload["iss"] else { throw VerificationError(.missingClaim, claim: .issuer) }
        let record = payload.tape[issuer.index]
        guard record.kind == .string else { throw VerificationError(.invalidClaim, claim: .issuer) }
        return record
    }
}

extension CompactToken {
    /// Lends the issuer that this JWT seems to name to `body`, after the checks of the header. Nothing is verified: use it only to choose
    /// among known verifiers, never to build an address.
    ///
    /// - Throws: the codes of form and of the header; `missing_claim`, `invalid_claim`; errors of `body`.
    package func withUnverifiedIssuer<Result>(
        _ limits: TokenLimits, _ body: (borrowing JSONString) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        guard !payload.isEmpty else { throw VerificationError(.malformedToken, at: payloadOffset) }
        let parts = try TokenParts(self, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        return try withUnverifiedIssuer(parts, &headerTape, &tape, limits, body)
    }

    private func withUnverifiedIssuer<Result>(
        _ parts: borrowing TokenParts, _ headerTape: inout Scratch<JSONNode>, _ tape: inout Scratch<JSONNode>, _ limits: TokenLimits,
        _ body: (borrowing JSONString) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        return try body(try UnverifiedIssuer(limits: limits, base: payloadOffset).name(in: parts.payload, &tape))
    }
}
