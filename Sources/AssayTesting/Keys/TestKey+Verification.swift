public import JWTCore
internal import JWTSigning

// What a verifier needs of keys for tests.

extension TestKey {
    /// The public key as a JWK (RFC 7517 section 4), with `alg`, `use` and `kid`; nil for an HMAC, whose key is secret.
    public var publicJWK: String? { signing.publicJWK }

    /// The set of this key alone, for a verifier. The set of an HMAC has its secret, and the policy must name its algorithm.
    ///
    /// - Throws: what `KeySet` refuses in the key.
    public var keySet: KeySet {
        get throws(VerificationError) { try Self.keySet(of: [self]) }
    }

    /// The set of `keys`, for a verifier, with the secrets of HMACs.
    ///
    /// - Throws: what `KeySet` refuses in the keys.
    public static func keySet(of keys: [TestKey]) throws(VerificationError) -> KeySet {
        try KeySet(jwks: document(keys.compactMap { $0.publicJWK ?? $0.sharedJWK }))
    }

    /// The public keys as a JWK Set (RFC 7517 section 5), as an issuer publishes it. Keys of HMACs are left out.
    public static func jwks(of keys: [TestKey]) -> String { document(keys.compactMap(\.publicJWK)) }

    private static func document(_ jwks: [String]) -> String { "{\"keys\":[\(jwks.joined(separator: ","))]}" }
}
