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
    private let settings: SigningSettings
    /// Seconds for which a key stays published after its last signature.
    private let overlap: Int
    private var ring: KeyRing?

    init(
        store: any Store, clock: any ServerClock, randomness: Randomness, serverKey: ServerKey, settings: SigningSettings,
        tokenLifetime: Int
    ) {
        self.store = store
        self.clock = clock
        self.randomness = randomness
        self.serverKey = serverKey
        self.settings = settings
        overlap = tokenLifetime + settings.leeway + settings.caching
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
        let (newest, keys) = try await store.read { (try $0.signingKeyRevision(), try $0.signingKeys()) }
        let made = try KeyRing(keys, revision: newest, at: now, overlap: overlap, serverKey: serverKey)
        // While this waited for the store, another call may have got a newer one.
        if ring.map({ $0.revision <= made.revision }) ?? true { ring = made }
        return made
    }

    // Administration

    package func list() async throws -> [KeySummary] {
        let now = clock.now
        let overlap = overlap
        return try await store.read { store in
            try store.signingKeys().map {
                KeySummary(
                    id: $0.id, algorithm: $0.algorithm, state: $0.state(at: now, overlap: overlap), published: $0.published,
                    activated: $0.activated, retired: $0.retired)
            }
        }
    }

    /// Publishes a new key, which replaces the active one once it has been published for long enough; or, if told so, now: then
    /// verifiers that keep key sets for longer than an instant refuse its tokens for a while.
    package func rotate(now immediately: Bool) async throws {
        try await change { keys in
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
        let (now, settings, overlap) = (clock.now, settings, overlap)
        let rehearsal = try await store.read { store in
            var rotation = KeyRotation(try store.signingKeys(), at: now, settings: settings, overlap: overlap, spare: .absent)
            try body(&rotation)
            return (wantsSpare: rotation.wantsSpare, changes: !rotation.changed.isEmpty)
        }
        guard rehearsal.wantsSpare || rehearsal.changes else { return }
        let spare = rehearsal.wantsSpare ? try makeKey(at: now) : nil
        try await store.write { store in
            let made: KeyRotation.Spare = spare.map { .made($0) } ?? .absent
            var rotation = KeyRotation(try store.signingKeys(), at: now, settings: settings, overlap: overlap, spare: made)
            try body(&rotation)
            for key in rotation.changed { try store.save(key) }
        }
    }

    private func makeKey(at now: Timestamp) throws -> StoredSigningKey {
        let id = randomness.token(characters: 16, alphabet: .base62)
        guard let key = SigningKey.generate(settings.algorithm, keyID: id), let jwk = key.publicJWK, var document = key.privateDocument
        else { throw KeyFailure.cryptography }
        defer { wipe(&document) }
        return StoredSigningKey(
            id: id, algorithm: settings.algorithm.name, publicJWK: jwk,
            sealedPrivateKey: try serverKey.seal(document, as: .signingKey(id: id), randomness), published: now)
    }
}
#endif
