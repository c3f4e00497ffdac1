extension JSONMutator {
    /// For JOSE headers.
    public static let header = JSONMutator(
        names: ["alg", "typ", "cty", "kid", "crit", "b64", "enc", "zip", "jku", "jwk", "x5c", "x", "exp"],
        values: [
            #""HS256""#, #""HS384""#, #""HS512""#, #""RS256""#, #""PS256""#, #""ES256""#, #""ES384""#, #""EdDSA""#, #""Ed25519""#,
            #""none""#, #""None""#, #""ML-DSA-44""#, #""JWT""#, #""jwt""#, #""at+jwt""#, #""application/at+jwt""#, #"["b64"]"#,
            #"["b64","x"]"#, #"["b64","b64"]"#, #"["alg"]"#, #""hs""#, #""ed""#, #""es""#, #""twin""#, #""weak""#, #""broken""#, #""enc""#,
        ])

    /// For claims.
    public static let claims = JSONMutator(
        names: [
            "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "azp", "nonce", "auth_time", "acr", "amr", "at_hash", "c_hash", "sid",
            "client_id", "scope", "scp", "tenant",
        ],
        values: [
            #""https://idp.example""#, #""https://b.example""#, #""client-1""#, #"["client-1"]"#, #"["client-1","api"]"#, #""n-1""#,
            #""gold""#, #"["otp"]"#, #"["otp","pwd"]"#, #""read write""#, #"["read","write"]"#, #""user-1""#, #""jti-1""#,
            "1699999990", "1700003600", "1600000000", "1699999400",
        ])

    /// For JWK Sets.
    public static let keys = JSONMutator(
        names: [
            "keys", "kty", "kid", "alg", "use", "key_ops", "crv", "x", "y", "n", "e", "d", "k", "pub", "p", "x5c", "spiffe_sequence",
            "spiffe_refresh_hint",
        ],
        values: [
            #""RSA""#, #""EC""#, #""OKP""#, #""oct""#, #""AKP""#, #""P-256""#, #""P-384""#, #""P-521""#, #""secp256k1""#, #""Ed25519""#,
            #""Ed448""#, #""X25519""#, #""sig""#, #""enc""#, #""jwt-svid""#, #"["verify"]"#, #"["sign"]"#, #""AQAB""#, #""AAEAAQ""#,
            #""AQ""#,
            #""RS256""#, #""ES256""#, #""EdDSA""#, #""HS256""#, #""ML-DSA-44""#,
        ])

    /// For an issuer's metadata.
    public static let metadata = JSONMutator(
        names: ["issuer", "jwks_uri", "id_token_signing_alg_values_supported", "authorization_endpoint"],
        values: [
            #""https://idp.example""#, #""https://idp.example/keys""#, #""http://idp.example/keys""#, #""http://127.0.0.1/keys""#,
            #"["RS256","ES256"]"#, #""https:\/\/idp.example""#, #""file:///etc/passwd""#,
        ])

    /// For any other document.
    public static let documents = JSONMutator(names: ["a", "b", "", #"\u0061"#, #"\ud83d\ude00"#, "é", "aaaaaaaaaaaaaaaa"], values: [])
}
