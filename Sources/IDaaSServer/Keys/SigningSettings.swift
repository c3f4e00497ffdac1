#if IDaaS
package import JWTCore

/// How id_tokens are signed, and how the keys for it come and go. Times in seconds.
package struct SigningSettings: Hashable, Sendable {
    /// Of keys that are made from now on.
    package var algorithm: SignatureAlgorithm = .rs256
    /// For how long a key is published before it signs: gateways fetch key sets as rarely as once a day.
    package var publication = 86_400
    /// The age at which a signing key is replaced.
    package var rotationAge = 90 * 86_400
    /// For how long, beyond the lifetime of an id_token, a key stays published after its last signature: a verifier's leeway, and what
    /// caches hold.
    package var leeway = 60
    package var caching = 600

    package init(algorithm: SignatureAlgorithm = .rs256) { self.algorithm = algorithm }

    /// - Parameter tokenLifetime: of an id_token.
    func policy(tokenLifetime: Int) -> SigningPolicy {
        SigningPolicy(
            algorithm: algorithm.name, publication: publication, rotationAge: rotationAge, overlap: tokenLifetime + leeway + caching)
    }
}
#endif
