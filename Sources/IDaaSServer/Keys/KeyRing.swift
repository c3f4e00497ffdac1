internal import IDaaSWire
internal import JWTCore
internal import JWTSigning
internal import Secrets

/// The signing keys of the store at one revision, ready for use.
struct KeyRing: Sendable {
    let revision: Int
    let published: PublishedKeys
    /// Verifies the tokens that this server issued.
    let verification: KeySet
    let signer: TokenSigner
    /// The first instant at which one of the published keys is no longer published.
    private let expires: Timestamp?

    /// - Throws: ``KeyFailure/unknownKey`` without an active key, ``KeyFailure/sealedUnderAnotherKey``.
    init(_ keys: [StoredSigningKey], revision: Int, at now: Timestamp, overlap: Duration, serverKey: ServerKey) throws {
        let live = keys.filter { $0.state(at: now, overlap: overlap) != .gone }
        guard let active = live.first(where: { $0.state(at: now, overlap: overlap) == .active }) else { throw KeyFailure.unknownKey }
        self.revision = revision
        signer = TokenSigner(try Self.open(active, serverKey))
        let json = JSON.object([("keys", .array(live.map { .verbatim($0.publicJWK) }))]).bytes
        verification = try KeySet(jwks: json)
        published = PublishedKeys(json: json, algorithms: live.map(\.algorithm))
        expires = live.compactMap { $0.end(overlap: overlap) }.min()
    }

    func isCurrent(_ revision: Int, at now: Timestamp) -> Bool { self.revision == revision && now < expires ?? .init(milliseconds: .max) }

    private static func open(_ key: StoredSigningKey, _ serverKey: ServerKey) throws -> SigningKey {
        var document = try serverKey.open(key.sealedPrivateKey, as: .signingKey(id: key.id))
        defer { wipe(&document) }
        guard let algorithm = SignatureAlgorithm(name: key.algorithm),
            let opened = SigningKey.importing(document, algorithm: algorithm, keyID: key.id)
        else { throw KeyFailure.cryptography }
        return opened
    }
}

extension PublishedKeys {
    init(json: [UInt8], algorithms: [String]) {
        let digest = Digest256.of(json).prefix(16)
        self.init(
            json: json, entityTag: "\"\(digest.hexadecimal)\"",
            algorithms: algorithms.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }
}
