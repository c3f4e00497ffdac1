#if IDaaS
/// The states of a signing key's life, in their order.
package enum KeyState: String, Hashable, Sendable, CaseIterable {
    /// Published, does not sign yet.
    case next
    /// Signs.
    case active
    /// Does not sign any more, published for the tokens that it signed.
    case retiring
    /// Revoked or run out: in no document, its private half erased.
    case gone
}

extension StoredSigningKey {
    /// - Parameter overlap: seconds for which a key stays published after its last signature, where it does not say so itself.
    func state(at now: Timestamp, overlap: Int) -> KeyState {
        if removed != nil { return .gone }
        if let end = end(overlap: overlap) { return now < end ? .retiring : .gone }
        return activated == nil ? .next : .active
    }

    /// The first instant at which a key that signs no more is not published any more.
    func end(overlap: Int) -> Timestamp? { retired.map { publishedUntil ?? $0 + overlap } }

    /// Stays published until `end` at least, once it signs no more.
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
}

/// The key set as it is published.
package struct PublishedKeys: Sendable {
    /// A JWK Set (RFC 7517 section 5).
    package let json: [UInt8]
    /// A strong entity tag (RFC 9110 section 8.8.3), in its quotes.
    package let entityTag: String
    /// The `alg` of the keys, each once.
    package let algorithms: [String]
}
#endif
