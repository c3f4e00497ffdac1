internal import JWTCore

extension TestKey {
    /// Signs claims of which a holder can show some and keep others to itself (RFC 9901).
    ///
    /// ```swift
    /// let credential = try issuer.disclosableToken(
    ///     claims: ["iss": "https://idp.example", "exp": 1_700_003_600, "given_name": "Jane", "birthdate": "1963-08-12"],
    ///     hiding: ["given_name", "birthdate"], holder: holder)
    /// let text = try credential.presentation(
    ///     disclosing: ["given_name"], provenBy: holder, audience: "https://verifier.example", nonce: nonce, at: clock.now)
    /// ```
    ///
    /// - Parameters:
    ///   - claims: the claims, as for ``token(claims:type:)``.
    ///   - paths: what is hidden: the name of a claim, or names and places of elements joined by dots, such as `address.country` and
    ///     `nationalities.0`. A claim within a hidden claim may be hidden too.
    ///   - holder: the key that proves who presents the token: `cnf`. Nil leaves it out.
    ///   - decoys: the number of digests that no disclosure has.
    ///   - type: `typ` of the header; nil leaves it out.
    /// - Throws: the errors of a value's encoding; ``TestKeyError/signing``; ``TestKeyError/unavailable(_:)`` for a holder with an HMAC, whose
    ///   key is not the holder's alone.
    public func disclosableToken(
        claims: [String: (any Encodable)?], hiding paths: [String], holder: TestKey? = nil, decoys: Int = 0, type: String? = "dc+sd-jwt"
    ) throws -> DisclosableToken {
        var members = try JSONTree(parsing: Array(ClaimMembers(claims).json.utf8)).members ?? [:]
        if let holder {
            guard let jwk = holder.publicJWK else { throw TestKeyError.unavailable(holder.algorithm) }
            members["cnf"] = .object(["jwk": try JSONTree(parsing: Array(jwk.utf8))])
        }
        var hidden = HiddenClaims(paths, decoys: decoys)
        var payload = hidden.hide(in: members).members ?? [:]
        payload["_sd_alg"] = .string("sha-256")
        let token = try token(payload: String(decoding: JSONTree.object(payload).json, as: UTF8.self), type: type)
        return DisclosableToken(token: token, disclosures: hidden.disclosures)
    }
}
