internal import JWTCore

// The tokens of an issuer. Every claim can be replaced; nil takes it away.

extension TestIssuer {
    /// An id_token (OIDC Core section 2) for the client `client-1` and the user `jane`, valid for ten minutes from now.
    ///
    /// ```swift
    /// let token = try issuer.idToken(["nonce": nonce, "exp": 1_700_000_000], accessToken: accessToken)
    /// ```
    ///
    /// - Parameters:
    ///   - claims: are put over `iss`, `sub`, `aud`, `exp`, `iat` and `name`; nil takes a claim away.
    ///   - accessToken: `at_hash` is its hash.
    ///   - keyID: signs with this key, even a removed one; nil is the current key.
    /// - Throws: ``TestKeyError/unknownKey``, ``TestKeyError/signing``; the errors of a value's encoding.
    public func idToken(
        _ claims: [String: (any Encodable)?] = [:], accessToken: String? = nil, keyID: String? = nil
    ) throws -> String {
        let key = try key(keyID)
        var members = try idTokenClaims
        if let hash = accessToken.flatMap({ key.algorithm.tokenHash(of: $0) }) { try members.merge(["at_hash": hash]) }
        try members.merge(claims)
        return try key.token(payload: members.json)
    }

    /// A JWT access token (RFC 9068 section 2) for `https://api.example`, valid for ten minutes from now.
    ///
    /// - Parameters:
    ///   - claims: are put over `iss`, `sub`, `aud`, `client_id`, `exp`, `iat`, `jti` and `cnf`; nil takes a claim away.
    ///   - client: the key that proves possession of the token: `cnf.jkt` is its thumbprint (RFC 9449 section 6.1); nil leaves it out.
    ///   - keyID: signs with this key, even a removed one; nil is the current key.
    /// - Throws: as ``idToken(_:accessToken:keyID:)``; ``TestKeyError/unavailable(_:)`` for a client with a shared secret.
    public func accessToken(
        _ claims: [String: (any Encodable)?] = [:], boundTo client: TestKey? = nil, keyID: String? = nil
    ) throws -> String {
        let now = clock.now.seconds
        var members = try ClaimMembers([
            "iss": identifier, "sub": "jane", "aud": "https://api.example", "client_id": "client-1", "exp": now + 600, "iat": now,
            "jti": Base64URL.text(TestKey.random(16)), "cnf": try client.map { ["jkt": try $0.thumbprint] },
        ])
        try members.merge(claims)
        return try key(keyID).token(payload: members.json, type: "at+jwt")
    }

    /// An id_token as above, with the members of a JSON object put over its claims; null takes a claim away.
    package func idToken(merging json: String) throws -> String {
        var members = try idTokenClaims
        try members.merge(ClaimMembers(json: json))
        return try key().token(payload: members.json)
    }

    private var idTokenClaims: ClaimMembers {
        get throws {
            let now = clock.now.seconds
            return try ClaimMembers([
                "iss": identifier, "sub": "jane", "aud": "client-1", "exp": now + 600, "iat": now, "name": "Jane Doe",
            ])
        }
    }
}

extension SignatureAlgorithm {
    /// The value of `at_hash` for a token (OIDC Core section 3.1.3.6); nil where no specification defines one.
    fileprivate func tokenHash(of token: String) -> String? {
        let digest: Digest? =
            switch self {
            case .rs256, .ps256, .es256, .es256k, .hs256: .sha256
            case .rs384, .ps384, .es384, .hs384: .sha384
            // Keys for EdDSA are Ed25519 here.
            case .rs512, .ps512, .es512, .hs512, .edDSA, .ed25519: .sha512
            case .ed448: .shake256
            default: nil
            }
        return digest.map { digest in
            let hash = digest.bytes(of: token.utf8.span)
            return Base64URL.text(hash.prefix(hash.count / 2))
        }
    }
}
