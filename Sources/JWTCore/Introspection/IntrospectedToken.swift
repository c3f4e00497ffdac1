/// A token that its authorization server calls active (RFC 7662), with the claims of the server's answer.
///
/// Its claims are as trustworthy as the answer: the caller has it from the server's own introspection endpoint, or has verified its
/// signature (RFC 9701). They count for nothing until they meet a policy.
package struct IntrospectedToken: Sendable {
    private let answer: ParsedJSON
    private let places: ClaimPlaces
    /// An empty object.
    private let header: ParsedJSON
    /// The size of the answer.
    package let byteCount: Int

    /// Bytes of an answer. 16 KiB: as many as a token has.
    package static let mostBytes = 16_384

    /// Reads an answer strictly: one JSON object with `active`, and each registered claim of its type.
    ///
    /// - Parameters:
    ///   - answer: the object of RFC 7662 section 2.2.
    ///   - limits: of its JSON; the length is ``mostBytes``.
    /// - Returns: nil for a token that is not active.
    /// - Throws: `token_too_large`; the codes of JSON; `missing_claim` without `active`; `invalid_claim` if that is no Boolean, the answer no
    ///   object, or a claim of the wrong type.
    package static func read(_ answer: [UInt8], limits: TokenLimits = .standard) throws(VerificationError) -> Self? {
        guard answer.count <= mostBytes else { throw VerificationError(.tokenTooLarge, at: mostBytes) }
        let parsed = try ParsedJSON(answer, limits: limits.json)
        guard parsed.root.isObject else { throw VerificationError(.invalidClaim) }
        guard let active = parsed.root["active"] else { throw VerificationError(.missingClaim) }
        guard let isActive = active.bool else { throw VerificationError(.invalidClaim) }
        guard isActive else { return nil }
        return try Self(parsed, byteCount: answer.count)
    }

    private init(_ answer: ParsedJSON, byteCount: Int) throws(VerificationError) {
        places = try ClaimPlaces(in: answer.root, base: 0)
        header = try ParsedJSON(Array("{}".utf8))
        self.answer = answer
        self.byteCount = byteCount
    }

    /// `exp`; nil if the answer has none.
    package var expiration: NumericDate? { claims.expiration }

    /// Checks the claims against `policy`, and lends them to `body`. Of the policy everything applies but algorithms and types.
    ///
    /// - Parameters:
    ///   - policy: without the hashes of another token.
    ///   - now: the time to judge for.
    /// - Throws: the first rule that the claims break.
    package func withClaims<Result>(
        meeting policy: ClaimsPolicy, now: NumericDate, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        let claims = claims
        try policy.evaluate(claims, now: now)
        return body(claims)
    }

    /// No key has verified them. HS256 says so: a check that wants a public key's signature refuses it.
    private var claims: Claims {
        @_lifetime(borrow self) get {
            let empty = JOSEHeader(kept: header.root, members: JOSEHeader.Members(), algorithm: .hs256)
            return Claims(kept: answer.root, header: empty, keyPosition: 0, curve: nil, places: places)
        }
    }
}
