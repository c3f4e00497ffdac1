extension JSONMutator {
    /// For the header of a DPoP proof.
    public static let proofHeader = JSONMutator(
        names: ["typ", "alg", "jwk", "kid", "crit", "b64", "x5c", "kty", "crv", "x", "y", "n", "e", "d", "k", "use", "key_ops"],
        values: [
            #""dpop+jwt""#, #""application/dpop+jwt""#, #""JWT""#, #""EdDSA""#, #""Ed25519""#, #""ES256""#, #""RS256""#, #""HS256""#,
            #""none""#, #""OKP""#, #""EC""#, #""RSA""#, #""oct""#, #""P-256""#, #""P-384""#, #""Ed25519""#, #""X25519""#, #""AQAB""#,
            #"["b64"]"#, #""sig""#, #"["verify"]"#, #"["sign"]"#,
        ])

    /// For the claims of a DPoP proof.
    public static let proofClaims = JSONMutator(
        names: ["jti", "htm", "htu", "iat", "ath", "nonce", "exp", "nbf"],
        values: [
            #""GET""#, #""POST""#, #""https://api.example/orders""#, #""HTTPS://API.example:443/./orders?a#b""#,
            #""https://api.example/a/../orders""#, #""https:\/\/api.example\/%6frders""#, #""http://api.example/orders""#,
            #""https://api.example""#, #""https://user@api.example/orders""#, #""https://[::1]:8443/x""#, "1699999930", "1699999990",
            "1700000010", "1700000011",
        ])

    /// For the header of an encrypted token.
    public static let encryptionHeader = JSONMutator(
        names: ["alg", "enc", "kid", "cty", "zip", "epk", "apu", "apv", "crit", "p2c", "p2s", "kty", "crv", "x", "y", "jku", "typ"],
        values: [
            #""dir""#, #""ECDH-ES""#, #""ECDH-ES+A128KW""#, #""RSA-OAEP""#, #""RSA-OAEP-256""#, #""RSA1_5""#, #""PBES2-HS256+A128KW""#,
            #""A128GCM""#, #""A256GCM""#, #""A128CBC-HS256""#, #""A256CBC-HS512""#, #""A192GCM""#, #""JWT""#, #""jwt""#, #""DEF""#,
            #""P-256""#,
            #""X25519""#, #""EC""#, #""OKP""#, #"["zip"]"#, "2147483647",
        ])

    /// For an issuer's token with digests, and its disclosures. `@0` to `@9` stand for digests of disclosures, `@key` for the holder's key.
    public static let disclosures = JSONMutator(
        names: ["_sd", "_sd_alg", "...", "iss", "exp", "cnf", "jwk", "status", "vct", "name", "aud", "nonce", "iat", "sd_hash"],
        values: [
            #""@0""#, #""@1""#, #""@2""#, #""@3""#, #"["@0"]"#, #"["@1","@2"]"#, #"{"...":"@0"}"#, #"{"_sd":["@1"]}"#, #""sha-256""#,
            #""sha-384""#, #"{"jwk":"@key"}"#, #""@hash""#, #"["salt","iss","x"]"#, #"["salt","exp",1]"#, #"["salt","value"]"#,
        ])

    /// For a document in JWS JSON serialization.
    public static let signedDocument = JSONMutator(
        names: ["payload", "signatures", "signature", "protected", "header", "alg", "kid", "crit", "b64", "typ"],
        values: [
            #""EdDSA""#, #""ES256""#, #""HS256""#, #""none""#, #""ed""#, #""es""#, #"["b64"]"#, #""e30""#, #"["x"]"#, #"{"kid":"ed"}"#,
            #"{"alg":"EdDSA"}"#,
        ])

    /// For the answer of an introspection endpoint.
    public static let introspection = JSONMutator(
        names: ["active", "iss", "aud", "exp", "nbf", "sub", "scope", "cnf", "jkt", "token_introspection", "iat", "client_id"],
        values: [
            #""https://idp.example""#, #""orders""#, #"["orders"]"#, #""gateway""#, #"{"active":true}"#, #"{"active":false}"#,
            #""true""#, "1700003600", "1600000000",
        ])
}
