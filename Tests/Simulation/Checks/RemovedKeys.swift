import JWKSCache

/// Checks how long a removed key is still accepted (invariant 3).
struct RemovedKeys {
    private let policy: RefreshPolicy
    /// The last time at which the source had a problem.
    private(set) var troubledAt: Duration = .zero

    init(_ policy: RefreshPolicy) { self.policy = policy }

    mutating func troubled(_ now: Duration) { troubledAt = now }

    /// A token under `key` was accepted.
    func accepted(_ key: PublishedKey, _ publisher: Publisher, _ now: Duration) throws(Violation) -> Bool {
        guard let removal = publisher.history.removal(of: key, at: now) else { return false }
        // A confirmation may be of a copy this old; and a publisher that leaves a copy at the old address may have that confirmed.
        let lag = max(publisher.habits.cacheLag, publisher.habits.forcedLag, publisher.addresses.staleness(at: now))
        let limit = troubledAt < removal ? policy.removedKeyLife : policy.removedKeyLifeInOutage
        let age = now - removal
        try expect(age <= limit + lag, 3, "\(key.name) verifies \(age) after its removal, which may last \(limit + lag)")
        return true
    }
}
