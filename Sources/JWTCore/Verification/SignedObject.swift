/// A JWT with a verified signature whose payload is not its claims: they are made from it (RFC 9901 section 7.1). Only
/// ``TokenVerifier/verifyObject(_:)`` makes one, and ``TokenVerifier/judge(_:claims:now:)`` judges what was made.
package struct SignedObject: Sendable {
    let headerText: [UInt8]
    let headerTape: [JSONNode]
    let headerMembers: JOSEHeader.Members
    private let payloadText: [UInt8]
    private let payloadTape: [JSONNode]
    let curve: Curve?
    let algorithm: SignatureAlgorithm
    let keyPosition: Int

    fileprivate init(_ header: borrowing JOSEHeader, _ payload: borrowing JSONValue, _ proof: consuming SignatureVerified) {
        headerText = Array(copying: header.value.text)
        headerTape = Array(copying: header.value.tape)
        headerMembers = header.members
        payloadText = Array(copying: payload.text)
        payloadTape = Array(copying: payload.tape)
        curve = proof.curve
        algorithm = proof.algorithm
        keyPosition = proof.keyPosition
    }

    /// The payload, an object.
    package var payload: JSONValue { @_lifetime(borrow self) get { JSONValue(text: payloadText.span, tape: payloadTape.span) } }
}

extension TokenVerifier {
    /// Verifies the header and the signature of a JWT, and reads its payload. Of the policy only algorithms and types apply.
    ///
    /// - Throws: why the token is refused; `invalid_claim` for a payload that is no object.
    package func verifyObject(_ token: Span<UInt8>) throws(VerificationError) -> SignedObject {
        try ObjectVerification(limits: limits).verify(token, by: rules)
    }

    /// Judges claims that were made from the payload of `object` by the policy.
    ///
    /// - Parameters:
    ///   - object: whose signature this verifier has verified.
    ///   - text: the claims, a JSON object within the limits of a payload.
    ///   - now: the time to judge for; nil reads the clock.
    /// - Throws: why the claims are refused. No error has an offset, because no sender wrote the text.
    package func judge(_ object: SignedObject, claims text: [UInt8], now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        do throws(VerificationError) {
            let token = try VerifiedToken(object, claims: ParsedJSON(text, limits: limits.json))
            try policy.evaluate(token.claims, now: now ?? clock.now)
            return token
        } catch {
            throw error.withoutOffset
        }
    }
}

/// Split into two functions for the same reason as ``Verification``.
private struct ObjectVerification {
    let limits: TokenLimits

    func verify(_ bytes: Span<UInt8>, by rules: Rules) throws(VerificationError) -> SignedObject {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard !token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        let parts = try TokenParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        return try verify(parts, by: rules, &headerTape, &tape)
    }

    private func verify(
        _ parts: borrowing TokenParts, by rules: Rules, _ headerTape: inout Scratch<JSONNode>,
        _ tape: inout Scratch<JSONNode>
    ) throws(VerificationError) -> SignedObject {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        try rules.evaluate(header)
        let proof = try rules.verifySignature(of: parts, header, limits)
        let payload = try JSONValue(parts.payload, tape: &tape, limits: limits.json, base: parts.token.payloadOffset)
        guard payload.isObject else { throw VerificationError(.invalidClaim) }
        return SignedObject(header, payload, proof)
    }
}
