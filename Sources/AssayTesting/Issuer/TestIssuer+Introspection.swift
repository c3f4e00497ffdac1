internal import JWTCore

// The answers of an introspection endpoint. Every member can be replaced; nil takes it away.

extension TestIssuer {
    /// The answer of its introspection endpoint (RFC 7662 section 2.2) about an active token for `https://api.example`, valid for ten minutes
    /// from now.
    ///
    /// ```swift
    /// let answer = try issuer.introspection(["scope": "orders"])
    /// let refusal = try issuer.introspection(["active": false])
    /// ```
    ///
    /// - Parameter members: are put over `active`, `iss`, `sub`, `aud`, `client_id`, `exp` and `iat`; nil takes a member away.
    /// - Throws: the errors of a value's encoding.
    public func introspection(_ members: [String: (any Encodable)?] = [:]) throws -> String {
        let now = clock.now.seconds
        var answer = try ClaimMembers([
            "active": true, "iss": identifier, "sub": "jane", "aud": "https://api.example", "client_id": "client-1", "exp": now + 600,
            "iat": now,
        ])
        try answer.merge(members)
        return answer.json
    }

    /// A signed answer of its introspection endpoint (RFC 9701 section 5).
    ///
    /// - Parameters:
    ///   - answer: the member `token_introspection`, as ``introspection(_:)`` writes it; nil leaves it out.
    ///   - audience: `aud`: the resource server that asks.
    ///   - claims: are put over `iss`, `aud` and `iat`; nil takes a claim away.
    ///   - type: `typ` of the header; nil leaves it out.
    ///   - keyID: signs with this key, even a removed one; nil is the current key.
    /// - Throws: ``TestKeyError/notAnObject``, ``TestKeyError/unknownKey``, ``TestKeyError/signing``; the errors of a value's encoding.
    public func introspectionToken(
        _ answer: String?, audience: String, claims: [String: (any Encodable)?] = [:], type: String? = "token-introspection+jwt",
        keyID: String? = nil
    ) throws -> String {
        var members = try ClaimMembers(["iss": identifier, "aud": audience, "iat": clock.now.seconds])
        if let answer { members["token_introspection"] = try ClaimMembers(json: answer).json }
        try members.merge(claims)
        return try key(keyID).token(payload: members.json, type: type)
    }
}
