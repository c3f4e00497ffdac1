/// A key that signs id_tokens, and when it changed its state.
package struct StoredSigningKey: Hashable, Sendable {
    /// `kid`.
    package var id: String
    /// `alg`.
    package var algorithm: String
    package var publicJWK: String
    /// PKCS#8, sealed under the server's key; empty once the key is gone.
    package var sealedPrivateKey: [UInt8]
    /// When it was first published.
    package var published: Timestamp
    /// When it began to sign.
    package var activated: Timestamp?
    /// When it last signed.
    package var retired: Timestamp?
    /// The first instant at which a key that signed is no longer published; for a signing key, the earliest such instant. It is stored so
    /// that a later setting cannot shorten an earlier promise. Nil if not decided yet.
    package var publishedUntil: Timestamp?
    /// When it was revoked or expired.
    package var removed: Timestamp?
}
