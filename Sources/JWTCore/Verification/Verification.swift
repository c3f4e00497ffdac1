/// One verification, step by step: split, decode, header, key and signature, claims, policy.
///
/// Each path is two functions, the outer one allocating the memory for the inner one: Swift 6.3.1's optimiser crashes on a function that
/// both makes a noncopyable value and throws while it lends a view of it (CopyPropagation, "ownership error").
struct Verification {
    let limits: TokenLimits
    /// The time to judge for.
    let now: NumericDate
    /// A batch's verdict on the token's signature, if the token is in one.
    var judged: JudgedSignature?

    /// Verifies a JWT and lends its claims.
    func withClaims<Result>(
        _ bytes: Span<UInt8>, _ rules: Rules<some KeySource>, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard !token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        var memo = HeaderMemo(for: token.header)
        let isRecognised = memo.recognises(token.header, limits)
        let parts = try DecodedParts(token, limits: limits, leaving: isRecognised ? .header : nil)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        if isRecognised { return try withClaims(token, memo, parts, &tape, rules, body) }
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return try withClaims(token, &memo, parts, &headerTape, &tape, rules, body)
    }

    /// With a header that was seen before. It belongs to a JWT.
    @inline(__always)
    private func withClaims<Result>(
        _ token: CompactToken, _ memo: borrowing HeaderMemo, _ parts: borrowing DecodedParts, _ tape: inout Scratch<JSONNode>,
        _ rules: Rules<some KeySource>, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = memo.header
        try rules.policy.evaluate(header)
        let proof = try rules.verifySignature(
            header, message: token.signingInput, signature: parts.signature, limits, chosen: memo.chosenKey, judged: judged)
        memo.note(proof)
        return try withClaims(token, header, proof, parts, &tape, rules.policy, body)
    }

    private func withClaims<Result>(
        _ token: CompactToken, _ memo: inout HeaderMemo, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>,
        _ tape: inout Scratch<JSONNode>, _ rules: Rules<some KeySource>, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        try rules.policy.evaluate(header)
        let proof = try rules.verifySignature(header, message: token.signingInput, signature: parts.signature, limits, judged: judged)
        memo.keep(header, token.header, limits)
        return try withClaims(token, header, proof, parts, &tape, rules.policy, body)
    }

    /// The steps after the signature.
    @inline(__always)
    private func withClaims<Result>(
        _ token: CompactToken, _ header: JOSEHeader, _ proof: consuming SignatureVerified, _ parts: borrowing DecodedParts,
        _ tape: inout Scratch<JSONNode>, _ policy: borrowing ClaimsPolicy, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        var places = ClaimPlaces()
        let payload = try JSONValue(parts.payload, tape: &tape, finding: &places, limits: limits.json, base: token.payloadOffset)
        let claims = try Claims(payload, places: places, header: header, proof: proof, base: token.payloadOffset)
        try policy.evaluate(claims, now: now)
        return body(claims)
    }

    /// Verifies a JWT whose own `iss` chooses its verifier among known ones.
    func withClaims<Result>(
        _ bytes: Span<UInt8>, routedBy router: some TokenRouter, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard !token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        let parts = try DecodedParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        return try withClaims(token, parts, &headerTape, &tape, routedBy: router, body)
    }

    private func withClaims<Result>(
        _ token: CompactToken, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>, _ tape: inout Scratch<JSONNode>,
        routedBy router: some TokenRouter, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        let issuer = try UnverifiedIssuer(limits: limits, base: token.payloadOffset).name(in: parts.payload, &tape)
        return try router.withRoute(issuer) { route throws(VerificationError) in
            try route.rules.policy.evaluate(header)
            let proof = try route.rules.verifySignature(header, message: token.signingInput, signature: parts.signature, limits)
            var places = ClaimPlaces()
            let payload = try JSONValue(parts.payload, tape: &tape, finding: &places, limits: limits.json, base: token.payloadOffset)
            let claims = try Claims(payload, places: places, header: header, proof: proof, base: token.payloadOffset)
            // They differ for no JSON, so this only guards against an error in the search.
            guard let verified = claims.issuer, verified.equals(issuer) else { throw VerificationError(.issuerMismatch, claim: .issuer) }
            try route.rules.policy.evaluate(claims, now: now)
            return body(claims)
        }
    }
}
