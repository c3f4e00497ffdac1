#if IDaaS
/// How the signing keys of a store come and go, in seconds: written by the server that signs with them, for whoever else changes the keys
/// and knows nothing of its settings.
public struct SigningPolicy: Hashable, Sendable, Codable {
    /// `alg` of keys that are made from now on.
    public var algorithm: String
    /// For how long a key is published before it signs.
    public var publication: Int
    /// The age at which a signing key is replaced.
    public var rotationAge: Int
    /// For how long a key stays published after its last signature.
    public var overlap: Int

    public init(algorithm: String, publication: Int, rotationAge: Int, overlap: Int) {
        self.algorithm = algorithm
        self.publication = publication
        self.rotationAge = rotationAge
        self.overlap = overlap
    }
}
#endif
