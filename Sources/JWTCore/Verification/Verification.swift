/// One verification, step by step: split, decode, header, key and signature, claims, policy.
///
/// Each way through it is two functions. The first allocates the memory, the second has the steps: Swift 6.3.1's optimiser crashes on a
/// function that both makes a noncopyable value and throws while it lends a view of it (CopyPropagation, "ownership error").
struct Verification {
    let limits: TokenLimits
    /// The time to judge for.
    let now: NumericDate
    /// A batch's verdict on the token's signature, if the token is in one.
    var judged: JudgedSignature?

    /// Verifies a JWT and lends its claims.
    func verify<Result>(
        _ bytes: Span<UInt8>, by rules: Rules, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let token = try split(bytes)
        var memo = HeaderMemo(for: token.header)
        let isRemembered = memo.recognises(token.header, limits)
        let parts = try TokenParts(token, limits: limits, leaving: isRemembered ? .header : nil)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        if isRemembered { return try verify(parts, withHeaderIn: memo, by: rules, &tape, body) }
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return try verify(parts, rememberingIn: &memo, by: rules, &headerTape, &tape, body)
    }

    /// The steps for a header that this thread remembers. It belongs to a JWT.
    @inline(__always)
    private func verify<Result>(
        _ parts: borrowing TokenParts, withHeaderIn memo: borrowing HeaderMemo, by rules: Rules,
        _ tape: inout Scratch<JSONNode>,
        _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = memo.header
        try rules.evaluate(header)
        let proof = try rules.verifySignature(of: parts, header, limits, chosen: memo.chosenKey, judged: judged)
        memo.note(proof)
        return try judge(parts, header, proof, by: rules, &tape, body)
    }

    /// The steps for any other header.
    private func verify<Result>(
        _ parts: borrowing TokenParts, rememberingIn memo: inout HeaderMemo, by rules: Rules,
        _ headerTape: inout Scratch<JSONNode>,
        _ tape: inout Scratch<JSONNode>, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = try header(of: parts, &headerTape)
        try rules.evaluate(header)
        let proof = try rules.verifySignature(of: parts, header, limits, judged: judged)
        memo.keep(header, parts.token.header, limits)
        return try judge(parts, header, proof, by: rules, &tape, body)
    }

    /// Verifies a JWT whose own `iss` chooses its rules among known ones, and lends its claims.
    func verify(
        _ bytes: Span<UInt8>, routedBy router: some TokenRouter, _ body: (borrowing Claims) -> Void
    ) throws(VerificationError) {
        let token = try split(bytes)
        var memo = HeaderMemo(for: token.header)
        let isRemembered = memo.recognises(token.header, limits)
        let parts = try TokenParts(token, limits: limits, leaving: isRemembered ? .header : nil)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        if isRemembered { return try verify(parts, withHeaderIn: memo, routedBy: router, &tape, body) }
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return try verify(parts, rememberingIn: &memo, routedBy: router, &headerTape, &tape, body)
    }

    private func verify(
        _ parts: borrowing TokenParts, withHeaderIn memo: borrowing HeaderMemo, routedBy router: some TokenRouter,
        _ tape: inout Scratch<JSONNode>, _ body: (borrowing Claims) -> Void
    ) throws(VerificationError) {
        let header = memo.header
        let issuer = try issuer(of: parts, &tape)
        try router.withRoute(issuer) { route throws(VerificationError) in
            try verify(parts, header, of: issuer, by: route.rules, chosen: memo.chosenKey, &tape, noting: { memo.note($0) }, body)
        }
    }

    private func verify(
        _ parts: borrowing TokenParts, rememberingIn memo: inout HeaderMemo, routedBy router: some TokenRouter,
        _ headerTape: inout Scratch<JSONNode>, _ tape: inout Scratch<JSONNode>, _ body: (borrowing Claims) -> Void
    ) throws(VerificationError) {
        let header = try header(of: parts, &headerTape)
        let issuer = try issuer(of: parts, &tape)
        try router.withRoute(issuer) { route throws(VerificationError) in
            try verify(
                parts, header, of: issuer, by: route.rules, chosen: ChosenKey(), &tape,
                noting: { _ in memo.keep(header, parts.token.header, limits) }, body)
        }
    }

    /// The steps under the rules of the token's issuer.
    private func verify(
        _ parts: borrowing TokenParts, _ header: borrowing JOSEHeader, of issuer: borrowing JSONString, by rules: Rules,
        chosen: ChosenKey, _ tape: inout Scratch<JSONNode>, noting note: (borrowing SignatureVerified) -> Void,
        _ body: (borrowing Claims) -> Void
    ) throws(VerificationError) {
        try rules.evaluate(header)
        let proof = try rules.verifySignature(of: parts, header, limits, chosen: chosen)
        note(proof)
        let claims = try claims(of: parts, header, proof, &tape)
        // They differ for no JSON, so this only guards against an error in the search.
        guard let verified = claims.issuer, verified.equals(issuer) else { throw VerificationError(.issuerMismatch, claim: .issuer) }
        try rules.evaluate(claims, now: now)
        body(claims)
    }
}

// The steps that every way shares.
extension Verification {
    /// - Throws: `malformed_token` also for a detached payload, which no JWT has.
    @_lifetime(copy bytes)
    @inline(__always)
    private func split(_ bytes: Span<UInt8>) throws(VerificationError) -> CompactToken {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard !token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        return token
    }

    @_lifetime(borrow parts, &tape)
    @inline(__always)
    private func header(of parts: borrowing TokenParts, _ tape: inout Scratch<JSONNode>) throws(VerificationError) -> JOSEHeader {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &tape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        return header
    }

    /// The issuer that the payload seems to name.
    @_lifetime(borrow parts)
    private func issuer(of parts: borrowing TokenParts, _ tape: inout Scratch<JSONNode>) throws(VerificationError) -> JSONString {
        try UnverifiedIssuer(limits: limits, base: parts.token.payloadOffset).name(in: parts.payload, &tape)
    }

    /// Reads the claims, judges them by the whole policy and lends them to `body`.
    @inline(never)
    private func judge<Result>(
        _ parts: borrowing TokenParts, _ header: borrowing JOSEHeader, _ proof: consuming SignatureVerified, by rules: Rules,
        _ tape: inout Scratch<JSONNode>, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let claims = try claims(of: parts, copy header, proof, &tape)
        try rules.evaluate(claims, now: now)
        return body(claims)
    }

    /// The claims, once the signature was verified. Nothing reads the payload before, except a router its issuer.
    @_lifetime(borrow parts, copy header, &tape)
    @inline(__always)
    private func claims(
        of parts: borrowing TokenParts, _ header: JOSEHeader, _ proof: consuming SignatureVerified, _ tape: inout Scratch<JSONNode>
    ) throws(VerificationError) -> Claims {
        var places = ClaimPlaces()
        let base = parts.token.payloadOffset
        let payload = try JSONValue(parts.payload, tape: &tape, finding: &places, limits: limits.json, base: base)
        return try Claims(payload, places: &places, header: header, proof: proof, base: base)
    }
}
