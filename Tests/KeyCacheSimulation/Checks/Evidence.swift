import JWKSCache

/// What an answer of `unknown_key` rests on (invariant 2: never a lie).
struct Evidence {
    private var last: Attempt?
    /// The last one past every cache.
    private var lastProof: Attempt?

    /// `attempt` told what is published.
    mutating func applied(_ attempt: Attempt) {
        last = attempt
        if attempt.order.isForced { lastProof = attempt }
    }

    /// `key` was called unknown.
    func check(_ key: PublishedKey, _ history: KeyHistory, _ policy: RefreshPolicy, _ now: Duration) throws(Violation) {
        guard history.release(at: now).keys.contains(key), let last else { return }
        let begun = max(last.order.startedAt, lastProof?.order.startedAt ?? last.order.startedAt)
        // The answer may have taken as long as an attempt may, and then holds for ten seconds.
        try expect(now - begun <= .seconds(10) + policy.attemptLimit, 2, "\(key.name) is called unknown by a look \(now - begun) ago")
        // A cache that was asked later, but not to look again, may have an older copy; M21 has it count.
        guard let lastProof, lastProof.order == last.order, let release = lastProof.delivery.release else { return }
        try expect(!release.keys.contains(key), 2, "\(key.name) is called unknown though the last look past every cache had it")
    }
}
