import JWKSCache

/// Checks that moved keys are found (invariant 10).
struct MovedKeys {
    /// The start of the last fetch in which the metadata's address asked for a pause.
    private var pausedMetadata: Duration?
    /// The start of the last fetch that asked for the metadata because a key was missing.
    private var probedMetadata: Duration?

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
    /// asked for another missing key less than ten seconds ago, and the keys' address answers.
    private func isExcused(_ stop: Walk.Stop, _ order: FetchOrder) -> Bool {
        if stop.delivery.answer.retryAfter != nil || isRecent(pausedMetadata, order) { return true }
        return stop.delivery.answer.bringsKeys(policy) && isRecent(probedMetadata, order)
    }

    private func isRecent(_ moment: Duration?, _ order: FetchOrder) -> Bool {
        moment.map { order.startedAt - $0 < policy.probeWindow } ?? false
    }

    private mutating func note(_ walk: Walk, _ order: FetchOrder) {
        let isPaused = walk.stops.contains { Walk.isMetadata($0.url) && $0.delivery.answer.retryAfter != nil }
        if isPaused { pausedMetadata = order.startedAt }
        if order.cause == .probe, walk.stops.first.map({ !Walk.isMetadata($0.url) && $0.delivery.answer.bringsKeys(policy) }) ?? false,
            walk.stops.contains(where: { Walk.isMetadata($0.url) })
        {
            probedMetadata = order.startedAt
        }
    }
}
