internal import JWTCore

/// Decides when to fetch, and how long the current keys are accepted: a state machine without clock, network or task. The caller passes
/// every time as the duration since one origin, and gets the fetch to make as a value.
///
/// ```swift
/// var state = RefreshState(policy: .availabilityFirst, seed: 1)
/// let order = state.tick(now: .zero)                                       // fetch: there are no keys yet
/// state.confirmed(order!, lifetime: .seconds(300), isNew: true, now: .seconds(1))
/// _ = state.tick(now: .seconds(100))                                       // nil: nothing is due
/// ```
package struct RefreshState: Sendable {
    package let policy: RefreshPolicy
    /// The fetch in progress.
    package private(set) var flight: FetchOrder?
    /// Until when the current keys are accepted; nil without keys.
    package private(set) var freshness: Freshness?
    /// Increases by one whenever another set is accepted, or the set expires.
    package private(set) var generation: UInt64 = 0
    /// Failures since the last success.
    package private(set) var failures = 0
    /// When the next scheduled fetch is due.
    package private(set) var nextDue: Duration
    package var probes: ProbeBudget
    private var sequence: UInt64 = 0
    /// The number of the last fetch with a result.
    package private(set) var appliedSequence: UInt64 = 0
    private var random: SeededGenerator

    /// The times of the accepted set.
    package struct Freshness: Equatable, Sendable {
        /// The start of the fetch that confirmed it.
        package var confirmedAt: Duration
        package var expiresAt: Duration
        /// When it expires, even if its source fails.
        package var endsAt: Duration
    }

    /// - Parameters:
    ///   - policy: how often to fetch and how long to accept a set.
    ///   - seed: for the jitter; different for every instance.
    ///   - now: the start time.
    package init(policy: RefreshPolicy, seed: UInt64, now: Duration = .zero) {
        self.policy = policy
        nextDue = now
        probes = ProbeBudget(policy)
        random = SeededGenerator(seed: seed)
    }

    /// Whether there are keys that may be used at `now`.
    package func hasKeys(_ now: Duration) -> Bool { freshness.map { now < $0.endsAt } ?? false }

    // Events

    /// Advances the time: cancels a fetch that takes too long, drops a set that has expired, orders a fetch that is due.
    ///
    /// - Parameter mayFetch: false if no fetch may be made now; one that is due stays due.
    package mutating func tick(now: Duration, mayFetch: Bool = true) -> FetchOrder? {
        if let flight, now >= flight.startedAt + policy.attemptLimit { failed(flight, now: now) }
        if freshness != nil, !hasKeys(now) { end() }
        guard mayFetch, flight == nil, now >= nextDue else { return nil }
        return begin(freshness == nil && failures == 0 ? .start : .schedule, now)
    }

    /// When ``tick(now:)`` next has work to do.
    package var nextTick: Duration {
        let due = flight.map { $0.startedAt + policy.attemptLimit } ?? nextDue
        return min(due, freshness?.endsAt ?? due)
    }

    /// The program requests a fetch that bypasses every cache. Nil while one is in progress.
    package mutating func requested(now: Duration) -> FetchOrder? { flight == nil ? begin(.request, now) : nil }

    /// Whether a fetch that was ordered after `order` has been applied.
    package func isOvertaken(_ order: FetchOrder) -> Bool { order.sequence <= appliedSequence }

    /// A fetch that is not overtaken got a set, or a confirmation of the current one.
    ///
    /// - Parameter found: whether the set has the key that the fetch was sent for.
    package mutating func confirmed(_ order: FetchOrder, lifetime: Duration, isNew: Bool, found: Bool = false, now: Duration) {
        appliedSequence = order.sequence
        if flight?.sequence == order.sequence { flight = nil }
        failures = 0
        adopt(confirmedAt: order.startedAt, lifetime: lifetime, now)
        probes.confirmed(order, now)
        if found { probes.giveBack(order) }
        if isNew { advance() }
    }

    /// A fetch got nothing usable.
    ///
    /// - Parameters:
    ///   - order: the fetch.
    ///   - retryAfter: the pause that the source asked for.
    ///   - recheck: an upper bound on the wait, for a set that is held.
    ///   - now: the end of the fetch.
    package mutating func failed(_ order: FetchOrder, retryAfter: Duration? = nil, recheck: Duration? = nil, now: Duration) {
        guard flight?.sequence == order.sequence else { return }
        flight = nil
        failures += 1
        probes.failed(order)
        let floor = min(retryAfter ?? .zero, policy.longestRetryAfter)
        let pause = max(fullJitter(), floor)
        nextDue = now + min(pause, recheck ?? pause)
        probes.defer(until: now + min(floor, policy.probeWindow))
    }

    /// A set stored by an earlier process was found: `age` old by the wall clock.
    package mutating func restored(age: Duration, lifetime: Duration, now: Duration) {
        adopt(confirmedAt: now - age, lifetime: lifetime, now)
        advance()
        nextDue = now
    }

    /// What made the last fetch fail is over: the next one is due now.
    package mutating func retry(now: Duration) { nextDue = min(nextDue, now) }

    /// Drops the keys, because the program does not use them at present. The result of a fetch in progress is ignored; probes already used
    /// stay used.
    package mutating func unload() {
        flight = nil
        appliedSequence = sequence
        if freshness != nil { end() }
    }

    // Scheduling

    mutating func begin(_ cause: FetchOrder.Cause, _ now: Duration, for wanted: KeyIDHash? = nil) -> FetchOrder {
        sequence += 1
        let order = FetchOrder(sequence: sequence, cause: cause, startedAt: now, generation: generation, wanted: wanted)
        flight = order
        return order
    }

    private mutating func adopt(confirmedAt: Duration, lifetime: Duration, _ now: Duration) {
        let expiresAt = confirmedAt + lifetime
        freshness = Freshness(confirmedAt: confirmedAt, expiresAt: expiresAt, endsAt: expiresAt + policy.staleIfError)
        let jitter = Double.random(in: -policy.refreshJitter...policy.refreshJitter, using: &random)
        // No policy makes a fetch follow a success immediately.
        nextDue = max(confirmedAt + lifetime * (policy.refreshFraction + jitter), now + policy.backoff.lowerBound)
    }

    private mutating func end() {
        freshness = nil
        advance()
    }

    private mutating func advance() {
        generation += 1
        probes.forgetMissing()
    }

    private mutating func fullJitter() -> Duration {
        let shortest = policy.backoff.lowerBound, longest = policy.backoff.upperBound
        let ceiling = min(shortest * (1 << min(failures - 1, 30)), longest)
        return max(shortest, ceiling * Double.random(in: 0...1, using: &random))
    }
}
