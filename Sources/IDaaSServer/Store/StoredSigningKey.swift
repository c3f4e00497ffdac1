#if IDaaS
/// A key that signs id_tokens, and the instants of its life.
public struct StoredSigningKey: Hashable, Sendable {
    /// `kid`.
    public var id: String
    /// `alg`.
    public var algorithm: String
    public var publicJWK: String
    /// PKCS#8 under the server's key; empty once the key is gone.
    public var sealedPrivateKey: [UInt8]
    /// When it was first published.
    public var published: Timestamp
    /// When it began to sign.
    public var activated: Timestamp?
    /// When it signed last.
    public var retired: Timestamp?
    /// The first instant at which a key that signed is not published any more; for one that signs, the earliest that this may be. Kept
    /// here, so that later settings do not withdraw what earlier ones promised. Nil: nobody has said yet.
    public var publishedUntil: Timestamp?
    /// When it was revoked, or its time had run out.
    public var removed: Timestamp?

    public init(
        id: String, algorithm: String, publicJWK: String, sealedPrivateKey: [UInt8], published: Timestamp, activated: Timestamp? = nil,
        retired: Timestamp? = nil, publishedUntil: Timestamp? = nil, removed: Timestamp? = nil
    ) {
        self.id = id
        self.algorithm = algorithm
        self.publicJWK = publicJWK
        self.sealedPrivateKey = sealedPrivateKey
        self.published = published
        self.activated = activated
        self.retired = retired
        self.publishedUntil = publishedUntil
        self.removed = removed
    }
}
#endif
