/// The states of a signing key, in order.
package enum KeyState: String, Hashable, Sendable, CaseIterable {
    /// Published, does not sign yet.
    case next
    /// Signs.
    case active
    /// Does not sign any more; still published for the tokens that it signed.
    case retiring
    /// Revoked or expired: not published, private key erased.
    case gone
}

extension StoredSigningKey {
    /// - Parameter overlap: how long a key stays published after its last signature, unless the key has its own value.
    func state(at now: Timestamp, overlap: Duration) -> KeyState {
        if removed != nil { return .gone }
        if let end = end(overlap: overlap) { return now < end ? .retiring : .gone }
        return activated == nil ? .next : .active
    }

    /// The first instant at which a retired key is no longer published.
    func end(overlap: Duration) -> Timestamp? { retired.map { publishedUntil ?? $0 + overlap } }

    /// Keeps the key published at least until `end`, once it no longer signs.
    mutating func keepPublished(until end: Timestamp) { publishedUntil = max(publishedUntil ?? end, end) }
}

/// A signing key as an administrator sees it.
package struct KeySummary: Hashable, Sendable {
    package var id: String
    package var algorithm: String
    package var state: KeyState
    package var published: Timestamp
    package var activated: Timestamp?
    package var retired: Timestamp?

    init(_ key: StoredSigningKey, at now: Timestamp, overlap: Duration) {
        id = key.id
        algorithm = key.algorithm
        state = key.state(at: now, overlap: overlap)
        published = key.published
        activated = key.activated
        retired = key.retired
    }
}

/// The result of a rotation.
package struct KeyRotationReport: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        /// Published a new key, which signs later.
        case published
        /// Activated a key, which signs from now on.
        case activated
        /// No change: a successor was published before.
        case unchanged
    }

    package var outcome: Outcome
    /// The key that signs now, or next.
    package var key: KeySummary
    /// When it began to sign, or will begin without a forced rotation.
    package var signsFrom: Timestamp
}

/// The published key set.
package struct PublishedKeys: Sendable {
    /// A JWK Set (RFC 7517 section 5).
    package let json: [UInt8]
    /// A strong entity tag (RFC 9110 section 8.8.3), in quotes.
    package let entityTag: String
    /// The `alg` values of the keys, without duplicates.
    package let algorithms: [String]
}
