internal import Secrets

/// Publishes the status lists. Each is computed from the store at most once in a pause, however many ask.
package actor StatusLists: DomainService {
    package let environment: SharedEnvironment
    private let keys: SigningKeys
    private let work = SharedWork<String, StatusListDocument?>()
    private var cache: StatusListCache

    init(_ environment: SharedEnvironment, keys: SigningKeys) {
        self.environment = environment
        self.keys = keys
        cache = StatusListCache(limit: environment.statusLists.keptBytes)
    }

    /// The Status List Token of a list; nil for a list that is unknown or expired, and where lists are disabled.
    package func document(of id: String) async throws -> StatusListDocument? {
        guard environment.statusLists.isEnabled else { return nil }
        if let document = recent(id, at: clock.now) { return document }
        return try await work.value(of: id) { try await self.checked(id) }
    }

    /// Tokens of lists that were made under shorter lifetimes may live longer from now on.
    func serve() async throws {
        try await store.write { [memory = environment.statusMemory] in try $0.keepStatusLists(for: memory) }
    }

    private func recent(_ id: String, at now: Timestamp) -> StatusListDocument? {
        guard let entry = cache[id] else { return nil }
        // After the clock was set back, an old document would stay for long.
        return entry.checked <= now && now < entry.checked + environment.statusLists.pause ? entry.document : nil
    }

    /// The document that is right now: the former one while neither statuses nor keys changed.
    private func checked(_ id: String) async throws -> StatusListDocument? {
        let now = clock.now
        // While this call waited for the actor, another one may have ended.
        if let document = recent(id, at: now) { return document }
        guard let bits = try await bits(of: id, at: now) else {
            cache[id] = nil
            return nil
        }
        let (digest, published) = (Digest256.of(bits.bytes), try await keys.document().entityTag)
        if var entry = cache[id], entry.digest == digest, entry.keys == published, entry.signed <= now,
            now < entry.signed + environment.statusLists.renewal
        {
            entry.checked = now
            cache[id] = entry
            return entry.document
        }
        let document = try await signed(bits, id, at: now)
        cache[id] = StatusListCache.Entry(document: document, digest: digest, keys: published, signed: now, checked: now)
        return document
    }

    private nonisolated func bits(of id: String, at now: Timestamp) async throws -> StatusBits? {
        try await store.read { store in
            guard let list = try store.statusList(id), now < list.expires else { return nil }
            return try store.statuses(of: list, at: now)
        }
    }

    private nonisolated func signed(_ bits: StatusBits, _ id: String, at now: Timestamp) async throws -> StatusListDocument {
        let claims = StatusListClaims(
            issuer: environment.issuer, uri: environment.value.statusListURI(id), issued: now, policy: environment.statusLists,
            list: try CompressedList(bits))
        return StatusListDocument(try await keys.sign(claims: claims.json.text, type: Self.type))
    }

    /// `typ`.
    private static let type = "statuslist+jwt"
}
