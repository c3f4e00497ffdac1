internal import IDaaSWire

/// The limits of one action. Each limit has a scope, a key and a count.
///
/// Counting is part of the action's transaction, so every action counts, and no undone action counts.
struct Budget: Sendable {
    private struct Entry: Sendable {
        let scope: Limit.Scope
        let key: String
        let limits: [Limit]
        let counts: Bool
    }

    private var entries: [Entry] = []

    /// Adds limits that the action is counted in.
    mutating func add(_ scope: Limit.Scope, _ key: String, _ limits: [Limit]) {
        entries.append(Entry(scope: scope, key: key, limits: limits, counts: true))
    }

    /// Adds limits that only other actions are counted in.
    mutating func heed(_ scope: Limit.Scope, _ key: String, _ limits: [Limit]) {
        entries.append(Entry(scope: scope, key: key, limits: limits, counts: false))
    }

    /// The refusal if any limit is reached, with the time until all limits allow one more action.
    ///
    /// A limit of n is reached while the n-th most recent event lies in the sliding window. A limit of 0 is always reached; its window is
    /// the retry time.
    func refusal(at now: Timestamp, in store: any StoreReading) throws -> ServiceError? {
        var free: Timestamp?
        for entry in entries {
            for limit in entry.limits {
                guard let event = try Self.decisive(limit, entry, at: now, in: store) else { continue }
                free = max(free ?? event + limit.window, event + limit.window)
            }
        }
        return free.map { ServiceError(.rateLimited, retryAfter: $0.secondsUp(from: now)) }
    }

    private static func decisive(_ limit: Limit, _ entry: Entry, at now: Timestamp, in store: any StoreReading) throws -> Timestamp? {
        guard limit.count > 0 else { return now }
        return try store.event(entry.scope, entry.key, ordinal: limit.count, after: now - limit.window)
    }

    /// Counts one action.
    func record(at now: Timestamp, in store: any StoreWriting) throws {
        for entry in entries where entry.counts { try store.record(entry.scope, entry.key, at: now) }
    }
}

extension Timestamp {
    /// The time from `now` until this instant, rounded up to whole seconds.
    func secondsUp(from now: Timestamp) -> Duration { .seconds(max(0, (milliseconds - now.milliseconds + 999) / 1_000)) }
}
