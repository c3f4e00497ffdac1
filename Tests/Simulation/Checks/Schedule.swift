import JWKSCache

/// Checks when fetches are made: one at a time, not too many, never none for ever (invariants 1 and 7).
struct Schedule {
    private let policy: RefreshPolicy
    private var orders: [Duration] = []
    private var flight: FetchOrder?

    init(_ policy: RefreshPolicy) { self.policy = policy }

    mutating func ordered(_ order: FetchOrder, _ now: Duration) throws(Violation) {
        if let flight {
            let isOver = now >= flight.startedAt + policy.attemptLimit
            try expect(isOver, 1, "#\(order.sequence) was ordered while #\(flight.sequence) is under way")
            try expect(order.sequence > flight.sequence, 4, "#\(order.sequence) was ordered after #\(flight.sequence)")
        }
        try expect(order.startedAt == now, 1, "an order of another time")
        flight = order
        guard order.cause != .request else { return }
        orders.removeAll { now - $0 >= .seconds(10) }
        orders.append(now)
        // One per second after failures, and two because of tokens.
        try expect(orders.count <= 13, 1, "\(orders.count) fetches in 10 s")
    }

    mutating func ended(_ order: FetchOrder) {
        if flight?.sequence == order.sequence { flight = nil }
    }

    /// After all work that is due.
    func settled(_ state: RefreshState, _ now: Duration) throws(Violation) {
        try expect(state.nextTick > now, 7, "the next tick is due at \(state.nextTick.clock), which is past")
        if let flight = state.flight {
            try expect(now < flight.startedAt + policy.attemptLimit, 7, "#\(flight.sequence) has not been given up")
        } else {
            let latest = now + max(policy.lifetimeBounds.upperBound, policy.backoff.upperBound)
            try expect(state.nextTick <= latest, 7, "nothing is due before \(state.nextTick.clock)")
        }
    }

    func failed(_ state: RefreshState, retryAfter: Duration?, isHeld: Bool, _ now: Duration) throws(Violation) {
        let pause = state.nextDue - now
        let floor = max(policy.backoff.lowerBound, min(retryAfter ?? .zero, .seconds(300)))
        try expect(pause >= floor, 1, "tried again after \(pause), not \(floor)")
        try expect(pause <= (isHeld ? .seconds(60) : .seconds(300)), isHeld ? 9 : 5, "not tried again for \(pause)")
    }

    func confirmed(_ state: RefreshState, _ belief: Belief, _ now: Duration) throws(Violation) {
        let earliest = belief.confirmedAt + belief.lifetime * 0.7, latest = belief.confirmedAt + belief.lifetime * 0.9
        let soonest = now + policy.backoff.lowerBound
        let slack: Duration = .milliseconds(1)
        try expect(state.nextDue >= max(earliest, soonest) - slack, 1, "refreshed too early")
        try expect(state.nextDue <= max(latest, soonest) + slack, 3, "refreshed too late")
    }
}
