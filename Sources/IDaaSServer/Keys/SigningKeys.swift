package import JWTCore
internal import JWTSigning
internal import Secrets

/// The keys that sign id_tokens and status lists: makes, publishes, uses, replaces and revokes them.
///
/// Another process may change them at any time, for example the command line beside a running server. Each use first reads the revision
/// from the store, so a revoked key neither signs nor verifies once its revocation is written.
package actor SigningKeys: DomainService {
    package let environment: SharedEnvironment
    /// From the settings. The policy in the store takes precedence: see ``serve()``.
    private let configured: SigningPolicy
    private var ring: KeyRing?

    init(_ environment: SharedEnvironment) {
        self.environment = environment
        configured = environment.signing.policy(tokenLifetime: max(environment.lifetimes.idToken, environment.statusLists.validity))
    }

    // Use

    /// The JWK Set of the keys that are next, active and retiring.
    package func document() async throws -> PublishedKeys { try await current().published }

    /// Verifies our own tokens.
    package func verification() async throws -> KeySet { try await current().verification }

    /// Signs a claims set with the active key. Signatures run concurrently.
    ///
    /// - Parameters:
    ///   - claims: a JSON object.
    ///   - type: `typ`.
    package nonisolated func sign(claims: String, type: String = "JWT") async throws -> String {
        guard let token = try await current().signer.token(payload: claims, type: type) else { throw KeyFailure.cryptography }
        return token
    }

    /// Signs several claims sets with the key that is active now, in their order.
    package nonisolated func sign(all claims: [String], type: String) async throws -> [String] {
        let signer = try await current().signer
        var tokens: [String] = []
        for (ordinal, claims) in claims.enumerated() {
            // A signature with RSA takes most of a millisecond, and others want the thread too.
            if ordinal % 8 == 7 { await Task.yield() }
            guard let token = signer.token(payload: claims, type: type) else { throw KeyFailure.cryptography }
            tokens.append(token)
        }
        return tokens
    }

    private func current() async throws -> KeyRing {
        let revision = try await store.read { try $0.signingKeyRevision() }
        let now = clock.now
        if let ring, ring.isCurrent(revision, at: now) { return ring }
        let (newest, keys, policy) = try await store.read { [configured] in
            (try $0.signingKeyRevision(), try $0.signingKeys(), try $0.signingPolicy() ?? configured)
        }
        let made = try KeyRing(keys, revision: newest, at: now, overlap: policy.overlap, serverKey: serverKey)
        // While this call waited for the store, another call may have loaded a newer ring.
        if ring.map({ $0.revision <= made.revision }) ?? true { ring = made }
        return made
    }

    // Administration

    package func list() async throws -> [KeySummary] {
        let now = clock.now
        return try await store.read { [configured] store in
            let overlap = try store.signingPolicy()?.overlap ?? configured.overlap
            return try store.signingKeys().map { KeySummary($0, at: now, overlap: overlap) }
        }
    }

    /// Publishes a new key, which replaces the active one after its publication time, or immediately if requested: then verifiers that
    /// cache key sets refuse its tokens for a while. Makes the first key if there is none.
    ///
    /// If a successor is already published, no other is made.
    @discardableResult
    package func rotate(now immediately: Bool) async throws -> KeyRotationReport {
        let rotation = try await change { keys in
            keys.ensureActive()
            keys.ensureNext()
            if immediately { keys.promote() }
        }
        guard let report = rotation.report else { throw KeyFailure.unknownKey }
        return report
    }

    /// Withdraws a key immediately, with all tokens that it signed. If it was the active one, another takes over.
    ///
    /// - Throws: ``KeyFailure/unknownKey``.
    package func revoke(_ id: String) async throws {
        try await change { keys in
            guard keys.remove(id) else { throw KeyFailure.unknownKey }
            keys.ensureActive()
        }
    }

    /// Starts serving: the configured policy becomes the store's policy, also for administration commands beside the server.
    ///
    /// Tokens signed under a longer overlap stay verifiable for that longer time.
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

    /// Checks that the keys in the store, of the server and of its clients, open with the server's key. Changes nothing, and accepts a
    /// store without keys.
    ///
    /// - Throws: ``KeyFailure/sealedUnderAnotherKey``.
    package func check() async throws {
        let (keys, clients) = try await store.read { (try $0.signingKeys(), try $0.clients()) }
        for key in keys where !key.sealedPrivateKey.isEmpty {
            var document = try serverKey.open(key.sealedPrivateKey, as: .signingKey(id: key.id))
            wipe(&document)
        }
        for client in clients {
            guard let key = client.signatureKey else { continue }
            var document = try serverKey.open(key.sealedPrivateKey, as: .clientKey(client: client.id))
            wipe(&document)
        }
    }

    /// Does the due work: makes the first key, publishes a successor in time, promotes it, erases expired keys.
    package func maintain() async throws {
        try await change { keys in
            keys.ensureActive()
            keys.rotateByAge()
            keys.promoteIfPublishedLongEnough()
            keys.removeExpired()
        }
        _ = try await current()
    }

    /// Applies `body` to the keys in one transaction. Makes a new key, which is slow, outside the transaction, and only if needed.
    @discardableResult
    private func change(_ body: @Sendable @escaping (inout KeyRotation) throws -> Void) async throws -> KeyRotation {
        let (now, configured) = (clock.now, configured)
        @Sendable func rotation(_ store: any StoreReading, _ spare: KeyRotation.Spare) throws -> (KeyRotation, SigningPolicy) {
            let policy = try store.signingPolicy() ?? configured
            var rotation = KeyRotation(try store.signingKeys(), at: now, policy: policy, spare: spare)
            try body(&rotation)
            return (rotation, policy)
        }
        let (rehearsal, policy) = try await store.read { try rotation($0, .absent) }
        guard rehearsal.wantsSpare || !rehearsal.changed.isEmpty else { return rehearsal }
        let spare: KeyRotation.Spare = rehearsal.wantsSpare ? .made(try makeKey(policy.algorithm, at: now)) : .absent
        return try await store.write { store in
            let (rotation, _) = try rotation(store, spare)
            for key in rotation.changed { try store.save(key) }
            return rotation
        }
    }

    private func makeKey(_ name: String, at now: Timestamp) throws -> StoredSigningKey {
        let id = randomness.token(characters: 16, alphabet: .base62)
        guard let algorithm = SignatureAlgorithm(name: name), let key = environment.keyGeneration.signing(algorithm, id),
            let jwk = key.publicJWK, var document = key.privateDocument
        else { throw KeyFailure.cryptography }
        defer { wipe(&document) }
        return StoredSigningKey(
            id: id, algorithm: name, publicJWK: jwk,
            sealedPrivateKey: try serverKey.seal(document, as: .signingKey(id: id), randomness), published: now)
    }
}
