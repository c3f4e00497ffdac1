public import JWTCore

// Proofs of possession (RFC 9449), with this key as that of a client.

extension TestKey {
    /// What `cnf` of a bound access token says: `["cnf": ["jkt": client.thumbprint]]`.
    ///
    /// - Throws: ``TestKeyError/unavailable(_:)`` for a shared secret, which has none.
    public var thumbprint: String {
        get throws(TestKeyError) {
            guard let keySet = try? keySet, let thumbprint = keySet.keys.first?.thumbprint else { throw .unavailable(algorithm) }
            return thumbprint
        }
    }

    /// Makes a DPoP proof (RFC 9449 section 4.2).
    ///
    /// ```swift
    /// let client = try TestKey(.es256), server = try TestKey(.es256)
    /// let token = try server.token(claims: ["cnf": ["jkt": client.thumbprint], "exp": 1_700_003_600])
    /// let proof = try client.proof(method: "GET", url: "https://api.example/orders", accessToken: token, issuedAt: 1_700_000_000)
    /// ```
    ///
    /// - Parameters:
    ///   - method: `htm`.
    ///   - url: `htu`; clients leave out query and fragment.
    ///   - accessToken: the token whose hash `ath` is; nil leaves it out.
    ///   - nonce: the server's nonce; nil leaves it out.
    ///   - issuedAt: `iat`.
    ///   - tokenID: `jti`; a new one unless it is given.
    ///   - claims: are put over the claims above; nil takes a claim away.
    ///   - header: members that are put over `typ`, `alg` and `jwk`; nil takes a member away.
    /// - Returns: the value of the field `DPoP`.
    /// - Throws: the errors of ``token(header:payload:)`` and of a value's encoding; ``TestKeyError/unavailable(_:)`` for a shared secret, which makes no proof.
    public func proof(
        method: String, url: String, accessToken: String? = nil, nonce: String? = nil, issuedAt: NumericDate, tokenID: String? = nil,
        claims: [String: (any Encodable)?] = [:], header: [String: (any Encodable)?] = [:]
    ) throws -> String {
        guard let jwk = publicJWK else { throw TestKeyError.unavailable(algorithm) }
        let hash = accessToken.map { Base64URL.text(Digest.sha256.bytes(of: $0.utf8.span)) }
        var payload = try ClaimMembers([
            "jti": tokenID ?? Base64URL.text(Self.random(16)), "htm": method, "htu": url, "iat": issuedAt.seconds, "ath": hash,
            "nonce": nonce,
        ])
        try payload.merge(claims)
        var members = try ClaimMembers(["typ": "dpop+jwt", "alg": algorithm.name])
        members["jwk"] = jwk
        try members.merge(header)
        return try token(header: members.json, payload: payload.json)
    }
}
