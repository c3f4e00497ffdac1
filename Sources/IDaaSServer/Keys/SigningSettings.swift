package import JWTCore

/// How id_tokens are signed, and how their keys are rotated.
package struct SigningSettings: Hashable, Sendable {
    /// The algorithm of new keys.
    package var algorithm: SignatureAlgorithm = .rs256
    /// How long a key is published before it signs: some gateways fetch key sets only once a day.
    package var publication = Duration.seconds(86_400)
    /// The age at which a signing key is replaced.
    package var rotationAge = Duration.seconds(90 * 86_400)
    /// How long, beyond the lifetime of an id_token, a key stays published after its last signature. It covers a verifier's leeway and
    /// caches.
    package var leeway = Duration.seconds(60)
    package var caching = Duration.seconds(600)

    package init(algorithm: SignatureAlgorithm = .rs256) { self.algorithm = algorithm }

    /// - Parameter tokenLifetime: of an id_token.
    func policy(tokenLifetime: Duration) -> SigningPolicy {
        SigningPolicy(
            algorithm: algorithm.name, publication: publication, rotationAge: rotationAge, overlap: tokenLifetime + leeway + caching)
    }
}
