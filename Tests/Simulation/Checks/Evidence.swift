import JWKSCache

/// The evidence for an answer of `unknown_key` (invariant 2: it must be true).
struct Evidence {
    private var last: Attempt?
    /// The last fetch that bypassed every cache.
    private var lastProof: Attempt?

    /// `attempt` showed the published keys.
    mutating func applied(_ attempt: Attempt) {
        last = attempt
        if attempt.order.isForced { lastProof = attempt }
    }

    /// `key` was reported unknown.
    func check(_ key: PublishedKey, _ history: KeyHistory, _ policy: RefreshPolicy, _ now: Duration) throws(Violation) {
        guard history.release(at: now).keys.contains(key), let last else { return }
        let begun = max(last.order.startedAt, lastProof?.order.startedAt ?? last.order.startedAt)
        // The response may have taken as long as an attempt may, and is then valid for ten seconds.
        try expect(now - begun <= .seconds(10) + policy.attemptLimit, 2, "\(key.name) is called unknown by a look \(now - begun) ago")
        // A cache that was asked later without revalidation may have an older copy; M21 counts it.
        guard let lastProof, lastProof.order == last.order, let release = lastProof.delivery.release else { return }
        try expect(!release.keys.contains(key), 2, "\(key.name) is called unknown though the last look past every cache had it")
    }
}
