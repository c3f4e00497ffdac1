#if IDaaS
package import JWTCore
internal import JWTSigning
internal import Secrets

/// The keys that id_tokens are signed with: made, published, used, replaced and revoked.
///
/// Another process, as the command line beside a running server, may change them at any time: each use asks the store for the revision
/// first, so that a revoked key neither signs nor verifies once its revocation is written.
package actor SigningKeys {
    private let store: any Store
    private let clock: any ServerClock
    private let randomness: Randomness
    private let serverKey: ServerKey
    /// Of the settings. What is in the store comes before it: see ``serve()``.
    private let configured: SigningPolicy
    private var ring: KeyRing?

    init(
        store: any Store, clock: any ServerClock, randomness: Randomness, serverKey: ServerKey, settings: SigningSettings,
        tokenLifetime: Int
    ) {
        self.store = store
        self.clock = clock
        self.randomness = randomness
        self.serverKey = serverKey
        configured = settings.policy(tokenLifetime: tokenLifetime)
    }

    // Use

    /// The JWK Set of the keys that are next, active and retiring.
    package func document() async throws -> PublishedKeys { try await current().published }

    /// What our own tokens are verified with.
    package func verification() async throws -> KeySet { try await current().verification }

    /// Signs a claims set with the active key. Concurrently: a signature is no reason to wait for another.
    ///
    /// - Parameter claims: a JSON object.
    package nonisolated func sign(claims: String) async throws -> String {
        guard let token = try await current().signer.token(payload: claims) else { throw KeyFailure.cryptography }
        return token
    }

    private func current() async throws -> KeyRing {
        let revision = try await store.read { try $0.signingKeyRevision() }
        let now = clock.now
        if let ring, ring.isCurrent(revision, at: now) { return ring }
        let (newest, keys, policy) = try await store.read { [configured] in
            (try $0.signingKeyRevision(), try $0.signingKeys(), try $0.signingPolicy() ?? configured)
        }
        let made = try KeyRing(keys, revision: newest, at: now, overlap: policy.overlap, serverKey: serverKey)
        // While this waited for the store, another call may have got a newer one.
        if ring.map({ $0.revision <= made.revision }) ?? true { ring = made }
        return made
    }

    // Administration

    package func list() async throws -> [KeySummary] {
        let now = clock.now
        return try await store.read { [configured] store in
            let overlap = try store.signingPolicy()?.overlap ?? configured.overlap
            return try store.signingKeys().map {
                KeySummary(
                    id: $0.id, algorithm: $0.algorithm, state: $0.state(at: now, overlap: overlap), published: $0.published,
                    activated: $0.activated, retired: $0.retired)
            }
        }
    }

    /// Publishes a new key, which replaces the active one once it has been published for long enough; or, if told so, now: then
    /// verifiers that keep key sets for longer than an instant refuse its tokens for a while. Where there is no key yet, makes the first.
    package func rotate(now immediately: Bool) async throws {
        try await change { keys in
            keys.ensureActive()
            keys.ensureNext()
            if immediately { keys.promote() }
        }
    }

    /// Withdraws a key at once, with all that it has signed. Where it was the active one, another takes over.
    ///
    /// - Throws: ``KeyFailure/unknownKey``.
    package func revoke(_ id: String) async throws {
        try await change { keys in
            guard keys.remove(id) else { throw KeyFailure.unknownKey }
            keys.ensureActive()
        }
    }

    /// Begins to serve: from now on the store's policy is the configured one, also for those who administer it beside the server.
    ///
    /// Tokens that were signed under a longer overlap stay verifiable for as long as that promised.
    package func serve() async throws {
        try await check()
        try await store.write { [now = clock.now, configured] store in
            let former = try store.signingPolicy()
            guard former != configured else { return }
            if let former, former.overlap > configured.overlap {
                for var key in try store.signingKeys() where key.state(at: now, overlap: former.overlap) == .active {
                    key.keepPublished(until: now + former.overlap)
                    try store.save(key)
                }
            }
            try store.save(configured)
        }
        try await maintain()
    }

    /// That what is in the store opens with the server's key. Changes nothing; a store without keys will do.
    ///
    /// - Throws: ``KeyFailure/sealedUnderAnotherKey``.
    package func check() async throws {
        do { _ = try await current() } catch KeyFailure.unknownKey {}
    }

    /// Does what is due by now: makes the first key, publishes a successor in time, promotes it, erases what has run out.
    package func maintain() async throws {
        try await change { keys in
            keys.ensureActive()
            keys.rotateByAge()
            keys.promoteIfPublishedLongEnough()
            keys.removeExpired()
        }
        _ = try await current()
    }

    /// Applies `body` to the keys in one transaction. A new key, which takes long to make, is made outside of it, and only if wanted.
    private func change(_ body: @Sendable @escaping (inout KeyRotation) throws -> Void) async throws {
        let (now, configured) = (clock.now, configured)
        @Sendable func rotation(_ store: any StoreReading, _ spare: KeyRotation.Spare) throws -> (KeyRotation, SigningPolicy) {
            let policy = try store.signingPolicy() ?? configured
            var rotation = KeyRotation(try store.signingKeys(), at: now, policy: policy, spare: spare)
            try body(&rotation)
            return (rotation, policy)
        }
        let (rehearsal, policy) = try await store.read { try rotation($0, .absent) }
        guard rehearsal.wantsSpare || !rehearsal.changed.isEmpty else { return }
        let spare: KeyRotation.Spare = rehearsal.wantsSpare ? .made(try makeKey(policy.algorithm, at: now)) : .absent
        try await store.write { store in
            for key in try rotation(store, spare).0.changed { try store.save(key) }
        }
    }

    private func makeKey(_ name: String, at now: Timestamp) throws -> StoredSigningKey {
        let id = randomness.token(characters: 16, alphabet: .base62)
        guard let algorithm = SignatureAlgorithm(name: name), let key = SigningKey.generate(algorithm, keyID: id),
            let jwk = key.publicJWK, var document = key.privateDocument
        else { throw KeyFailure.cryptography }
        defer { wipe(&document) }
        return StoredSigningKey(
            id: id, algorithm: name, publicJWK: jwk,
            sealedPrivateKey: try serverKey.seal(document, as: .signingKey(id: id), randomness), published: now)
    }
}
#endif
