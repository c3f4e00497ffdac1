#if IDaaS
/// The limits that one thing is subject to: each what is counted, whose, and how much of it is allowed.
///
/// Counting is part of the transaction of what is counted, so that nothing happens uncounted, and nothing counted did not happen.
struct Budget: Sendable {
    private struct Entry: Sendable {
        let scope: Limit.Scope
        let key: String
        let limits: [Limit]
        let counts: Bool
    }

    private var entries: [Entry] = []

    /// Subjects the thing to limits that it counts towards.
    mutating func add(_ scope: Limit.Scope, _ key: String, _ limits: [Limit]) {
        entries.append(Entry(scope: scope, key: key, limits: limits, counts: true))
    }

    /// Subjects the thing to limits that others count towards.
    mutating func heed(_ scope: Limit.Scope, _ key: String, _ limits: [Limit]) {
        entries.append(Entry(scope: scope, key: key, limits: limits, counts: false))
    }

    /// The refusal if any limit is reached, with the seconds until all of them allow one more.
    ///
    /// The limit-th most recent event of a window that slides says both whether the limit is reached and when it is not any more: once
    /// that event has left the window. A limit of none is always reached: its window is as good as any for saying when to ask again.
    func refusal(at now: Timestamp, in store: any StoreReading) throws -> ServiceError? {
        var free: Timestamp?
        for entry in entries {
            for limit in entry.limits {
                guard let event = try Self.decisive(limit, entry, at: now, in: store) else { continue }
                free = max(free ?? event + limit.seconds, event + limit.seconds)
            }
        }
        return free.map { ServiceError(.rateLimited, retryAfter: $0.secondsUp(from: now)) }
    }

    private static func decisive(_ limit: Limit, _ entry: Entry, at now: Timestamp, in store: any StoreReading) throws -> Timestamp? {
        guard limit.count > 0 else { return now }
        return try store.event(entry.scope, entry.key, ordinal: limit.count, after: now - limit.seconds)
    }

    /// Counts one.
    func record(at now: Timestamp, in store: any StoreWriting) throws {
        for entry in entries where entry.counts { try store.record(entry.scope, entry.key, at: now) }
    }
}

extension Timestamp {
    /// The whole seconds from `now` until this instant, rounded up: after so many it has come.
    func secondsUp(from now: Timestamp) -> Int { max(0, Int((milliseconds - now.milliseconds + 999) / 1_000)) }
}
#endif
