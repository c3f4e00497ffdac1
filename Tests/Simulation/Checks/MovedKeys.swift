import JWKSCache
import JWTCore

/// Checks that moved keys are found (invariant 10).
struct MovedKeys {
    /// The start of the last fetch in which the metadata's address asked for a pause.
    private var pausedMetadata: Duration?
    /// The start of the last fetch that asked for the metadata in vain, because the keys were looked for elsewhere.
    private var lookedAt: Duration?

    private let policy: RefreshPolicy

    init(_ policy: RefreshPolicy) { self.policy = policy }

    /// - Parameter keys: the accepted set.
    mutating func check(_ walk: Walk, _ order: FetchOrder, _ addresses: KeyAddresses, keys: Set<PublishedKey>?) throws(Violation) {
        try expect(walk.stops.count <= 4, 10, "#\(order.sequence) took \(walk.stops.count) requests")
        defer { note(walk, order) }
        guard let stop = walk.keys, addresses.departure(from: stop.url, by: order.startedAt) != nil, walk.latency != nil else { return }
        try expect(!walk.stops.contains(where: \.isMetadata), 10, "#\(order.sequence) reads where the keys are and asks elsewhere")
        guard isInVain(stop, order, keys), !isExcused(stop, order) else { return }
        try expect(walk.isTroubled, 10, "#\(order.sequence) asks in vain where the keys were, and nowhere else")
    }

    private func isInVain(_ stop: Walk.Stop, _ order: FetchOrder, _ keys: Set<PublishedKey>?) -> Bool {
        guard stop.delivery.answer.bringsKeys(policy) else { return true }
        guard order.cause == .probe else { return false }
        if case .set(let published, _, _, _) = stop.delivery.answer.meaning { return Set(published) == keys }
        return true
    }

    /// Whether a pause was requested: by the keys' address once, or by the metadata's less than ten seconds ago. Or whether the metadata was
    /// asked in vain less than ten seconds ago.
    private func isExcused(_ stop: Walk.Stop, _ order: FetchOrder) -> Bool {
        stop.delivery.answer.retryAfter != nil || isRecent(pausedMetadata, order) || isRecent(lookedAt, order)
    }

    private func isRecent(_ moment: Duration?, _ order: FetchOrder) -> Bool {
        moment.map { order.startedAt - $0 < policy.probeWindow } ?? false
    }

    private mutating func note(_ walk: Walk, _ order: FetchOrder) {
        let isPaused = walk.stops.contains { Walk.isMetadata($0.url) && $0.delivery.answer.retryAfter != nil }
        if isPaused { pausedMetadata = order.startedAt }
        guard let first = walk.stops.first, !Walk.isMetadata(first.url), walk.stops.contains(where: { Walk.isMetadata($0.url) }) else {
            return
        }
        lookedAt = hasFound(walk, order) ? nil : order.startedAt
    }

    /// Whether the metadata led to the keys, and to the one that a token named.
    private func hasFound(_ walk: Walk, _ order: FetchOrder) -> Bool {
        guard let last = walk.stops.last, !Walk.isMetadata(last.url), case .set(let keys, _, _, _) = last.delivery.answer.meaning,
            last.delivery.answer.bringsKeys(policy)
        else { return false }
        return order.wanted.map { wanted in keys.contains { KeyIDHash($0.name) == wanted } } ?? true
    }
}
