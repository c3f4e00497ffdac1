public import JWTCore

/// An SD-JWT for tests (RFC 9901) as a holder has it from the issuer: a token, and a disclosure for all that the token hides.
public struct DisclosableToken: Sendable {
    /// The issuer's token.
    public let token: String
    /// The path of each hidden claim or element, with its disclosure; the inner ones before the outer.
    public let disclosures: [(path: String, text: String)]

    /// The SD-JWT as the issuer hands it out: with every disclosure, and without key binding.
    public var issued: String { presentation(disclosing: disclosures.map(\.path)) }

    /// A presentation without key binding.
    ///
    /// - Parameter paths: what it discloses, with all that is around it: `address.country`, `nationalities.0`. Others are ignored.
    public func presentation(disclosing paths: [String]) -> String {
        let shown = disclosures.filter { disclosure in
            paths.contains { $0 == disclosure.path || $0.hasPrefix(disclosure.path + ".") }
        }
        return token + "~" + shown.map { $0.text + "~" }.joined()
    }

    /// A presentation with key binding (RFC 9901 section 4.3).
    ///
    /// - Parameters:
    ///   - paths: what it discloses, with all that is around it.
    ///   - holder: the key that the issuer's token names; or another one, as a thief has it.
    ///   - audience: `aud`: the verifier.
    ///   - nonce: `nonce`: that of the verifier's request.
    ///   - date: `iat`.
    /// - Throws: ``TestKeyError/signing``.
    public func presentation(
        disclosing paths: [String], provenBy holder: TestKey, audience: String, nonce: String, at date: NumericDate
    ) throws -> String {
        let presentation = presentation(disclosing: paths)
        let claims = try ClaimMembers([
            "aud": audience, "nonce": nonce, "iat": date, "sd_hash": HiddenClaims.digest(of: presentation),
        ])
        return presentation + (try holder.token(payload: claims.json, type: "kb+jwt"))
    }
}
