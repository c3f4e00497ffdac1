internal import HTTPEdge

/// The times of a store's signing keys. The signing server writes them. Commands that rotate keys beside it read them, because
/// they do not know its settings.
package struct SigningPolicy: Hashable, Sendable, Codable {
    /// `alg` of new keys.
    package var algorithm: String
    /// How long a key is published before it signs.
    package var publication: Duration
    /// The age at which a signing key is replaced.
    package var rotationAge: Duration
    /// How long a key stays published after its last signature.
    package var overlap: Duration
}
