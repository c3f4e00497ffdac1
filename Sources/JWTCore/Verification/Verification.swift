/// One verification, told in order: split, decode, header, key and signature, claims, policy.
///
/// Each way is two functions, the outer one taking the memory that the inner one reads in: Swift 6.3.1's optimiser crashes where a
/// function both makes a noncopyable value and throws while it lends a view of it (CopyPropagation, "ownership error").
struct Verification {
    let limits: TokenLimits
    /// What a batch has found of the token's signature, if it is of one.
    var judged: JudgedSignature?

    /// Verifies a JWT and lends its claims.
    func withClaims<Result>(
        _ bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, keys: some KeySource, now: NumericDate,
        _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard !token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        var memo = HeaderMemo(for: token.header)
        let isRecognised = memo.recognises(token.header, limits)
        let parts = try DecodedParts(token, limits: limits, leaving: isRecognised ? .header : nil)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        if isRecognised { return try withClaims(token, memo, parts, &tape, policy, keys: keys, now: now, body) }
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return try withClaims(token, &memo, parts, &headerTape, &tape, policy, keys: keys, now: now, body)
    }

    /// With a header that was seen before: it is a JWT's.
    @inline(__always)
    private func withClaims<Result>(
        _ token: CompactToken, _ memo: borrowing HeaderMemo, _ parts: borrowing DecodedParts, _ tape: inout Scratch<JSONNode>,
        _ policy: borrowing ClaimsPolicy, keys: some KeySource, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = memo.header
        try policy.evaluate(header)
        let proof = try verifySignature(header, memo.chosenKey, message: token.signingInput, parts, policy, keys: keys)
        memo.note(proof)
        return try withClaims(token, header, proof, parts, &tape, policy, now: now, body)
    }

    private func withClaims<Result>(
        _ token: CompactToken, _ memo: inout HeaderMemo, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>,
        _ tape: inout Scratch<JSONNode>, _ policy: borrowing ClaimsPolicy, keys: some KeySource, now: NumericDate,
        _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        try policy.evaluate(header)
        let proof = try verifySignature(header, message: token.signingInput, parts, policy, keys: keys)
        memo.keep(header, token.header, limits)
        return try withClaims(token, header, proof, parts, &tape, policy, now: now, body)
    }

    /// Behind the signature.
    @inline(__always)
    private func withClaims<Result>(
        _ token: CompactToken, _ header: JOSEHeader, _ proof: consuming SignatureVerified, _ parts: borrowing DecodedParts,
        _ tape: inout Scratch<JSONNode>, _ policy: borrowing ClaimsPolicy, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        var places = ClaimPlaces()
        let payload = try JSONValue(parts.payload, tape: &tape, finding: &places, limits: limits.json, base: token.payloadOffset)
        let claims = try Claims(payload, places: places, header: header, proof: proof, base: token.payloadOffset)
        try policy.evaluate(claims, now: now)
        return body(claims)
    }

    /// Verifies a JWT whose own `iss` chooses, among verifiers that are known beforehand, the one that judges it.
    func withClaims<Result>(
        _ bytes: Span<UInt8>, routedBy router: some TokenRouter, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard !token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        let parts = try DecodedParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        var tape = try Scratch<JSONNode>(capacity: limits.nodes)
        return try withClaims(token, parts, &headerTape, &tape, routedBy: router, now: now, body)
    }

    private func withClaims<Result>(
        _ token: CompactToken, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>, _ tape: inout Scratch<JSONNode>,
        routedBy router: some TokenRouter, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try header.requireJWT()
        var found = ClaimPlaces()
        let payload = try JSONValue(parts.payload, tape: &tape, finding: &found, limits: limits.json, base: token.payloadOffset)
        let places = found
        guard payload.isObject else { throw VerificationError(.invalidClaim, at: token.payloadOffset) }
        guard let member = payload["iss"] else { throw VerificationError(.missingClaim, claim: .issuer) }
        guard let issuer = member.string else { throw VerificationError(.invalidClaim, claim: .issuer) }
        return try router.withRoute(issuer) { route throws(VerificationError) in
            try route.policy.evaluate(header)
            let proof = try verifySignature(header, message: token.signingInput, parts, route.policy, keys: route.keys)
            let claims = try Claims(payload, places: places, header: header, proof: proof, base: token.payloadOffset)
            try route.policy.evaluate(claims, now: now)
            return body(claims)
        }
    }

    /// Verifies a JWS and lends its payload.
    func withPayload<Result>(
        _ bytes: Span<UInt8>, _ policy: borrowing ClaimsPolicy, keys: some KeySource,
        _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        let token = try CompactToken(parsing: bytes, limits: limits)
        let parts = try DecodedParts(token, limits: limits, leaving: .payload)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        return try withPayload(token, parts, &headerTape, policy, keys: keys, body)
    }

    private func withPayload<Result>(
        _ token: CompactToken, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>,
        _ policy: borrowing ClaimsPolicy, keys: some KeySource,
        _ body: (Span<UInt8>, borrowing JOSEHeader) -> Result
    ) throws(VerificationError) -> Result {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try policy.evaluate(header)
        let payload = try DecodedPayload(token, isUnencoded: header.isUnencoded)
        _ = try verifySignature(header, message: token.signingInput, parts, policy, keys: keys)
        return body(payload.bytes, header)
    }

    /// Verifies a JWS whose payload travels apart. What was signed is put together first, so this allocates.
    func verifyDetached(
        _ bytes: Span<UInt8>, _ payload: Span<UInt8>, _ policy: borrowing ClaimsPolicy, keys: some KeySource
    ) throws(VerificationError) {
        let token = try CompactToken(parsing: bytes, limits: limits)
        guard token.payload.isEmpty else { throw VerificationError(.malformedToken, at: token.payloadOffset) }
        let parts = try DecodedParts(token, limits: limits)
        var headerTape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        try verifyDetached(token, parts, &headerTape, payload, policy, keys: keys)
    }

    private func verifyDetached(
        _ token: CompactToken, _ parts: borrowing DecodedParts, _ headerTape: inout Scratch<JSONNode>, _ payload: Span<UInt8>,
        _ policy: borrowing ClaimsPolicy, keys: some KeySource
    ) throws(VerificationError) {
        let header = try JOSEHeader(JSONValue(parts.header, tape: &headerTape, limits: limits.headerJSON, base: 0))
        try policy.evaluate(header)
        let body = Array(copying: payload)
        let message = Array(copying: token.signingInput) + (header.isUnencoded ? body : Base64URL.encode(body))
        _ = try verifySignature(header, message: message.span, parts, policy, keys: keys)
    }

    /// The one place where keys are looked at. A `kid` that no key has is told to the source, which may know better soon.
    private func verifySignature(
        _ header: borrowing JOSEHeader, _ chosen: ChosenKey = ChosenKey(), message: Span<UInt8>, _ parts: borrowing DecodedParts,
        _ policy: borrowing ClaimsPolicy, keys: some KeySource
    ) throws(VerificationError) -> SignatureVerified {
        try keys.withKeys { lent throws(VerificationError) in
            do throws(VerificationError) {
                if let judged, judged.keySetSerial == lent.serial {
                    return try SignatureVerified(header, judged: judged, message: message, signature: parts.signature, keys: lent)
                }
                return try SignatureVerified(
                    header, message: message, signature: parts.signature, keys: lent, chosen: chosen, allowed: policy.algorithms,
                    limit: limits.candidateKeys)
            } catch {
                guard error.code == .unknownKey, let keyID = header.keyID else { throw error }
                throw keys.refusal(ofUnknown: KeyIDHash(keyID), in: lent)
            }
        }
    }
}

/// A JWS's payload: decoded, or under `b64: false` as it stands.
struct DecodedPayload: ~Copyable {
    private let scratch: Scratch<UInt8>
    private let count: Int

    init(_ token: borrowing CompactToken, isUnencoded: Bool) throws(VerificationError) {
        var scratch = try Scratch<UInt8>(capacity: token.payload.count)
        var out = scratch.mutableSpan()
        if isUnencoded {
            for index in 0..<token.payload.count { out[index] = token.payload[index] }
            count = token.payload.count
        } else {
            do { count = try Base64URL.decode(token.payload, into: &out) } catch { throw error.shifted(by: token.payloadOffset) }
        }
        self.scratch = scratch
    }

    var bytes: Span<UInt8> { @_lifetime(borrow self) get { scratch.span(0..<count) } }
}
