package import JWTCore

/// When to fetch and what is believed meanwhile: a state machine without clock, network or task. Every moment is handed in, as the
/// time since one origin; what is to be done comes back as a value.
///
/// ```swift
/// var state = RefreshState(policy: .availabilityFirst, seed: 1)
/// let order = state.tick(now: .zero)                                       // fetch: there are no keys yet
/// state.confirmed(order!, lifetime: .seconds(300), isNew: true, now: .seconds(1))
/// state.tick(now: .seconds(100))                                           // nil: nothing is due
/// ```
package struct RefreshState: Sendable {
    package let policy: RefreshPolicy
    /// The fetch under way.
    package private(set) var flight: FetchOrder?
    /// What is believed, and until when; nil without keys.
    package private(set) var freshness: Freshness?
    /// Counts what is believed: up by one whenever that changes, also when it ends.
    package private(set) var generation: UInt64 = 0
    /// Failures since the last success.
    package private(set) var failures = 0
    /// When the next scheduled fetch is due.
    package private(set) var nextDue: Duration
    package var probes: ProbeBudget
    private var sequence: UInt64 = 0
    /// The number of the last fetch that brought something.
    package private(set) var appliedSequence: UInt64 = 0
    private var random: SeededGenerator

    /// The times of the set that is believed.
    package struct Freshness: Equatable, Sendable {
        /// When the fetch began that confirmed it.
        package var confirmedAt: Duration
        package var expiresAt: Duration
        /// When it is no longer believed, come what may.
        package var endsAt: Duration
    }

    /// - Parameter seed: of the jitter: another one for every instance.
    package init(policy: RefreshPolicy, seed: UInt64, now: Duration = .zero) {
        self.policy = policy
        nextDue = now
        probes = ProbeBudget(policy)
        random = SeededGenerator(seed: seed)
    }

    /// Whether there are keys that may be used at `now`.
    package func hasKeys(_ now: Duration) -> Bool { freshness.map { now < $0.endsAt } ?? false }

    // What happens

    /// Lets time pass: gives up a fetch that takes too long, ends what is no longer believed, orders what is due.
    package mutating func tick(now: Duration) -> FetchOrder? {
        if let flight, now >= flight.startedAt + policy.attemptLimit { failed(flight, now: now) }
        if freshness != nil, !hasKeys(now) { end() }
        guard flight == nil, now >= nextDue else { return nil }
        return begin(freshness == nil && failures == 0 ? .start : .schedule, now)
    }

    /// When ``tick(now:)`` has something to do next.
    package var nextTick: Duration {
        let due = flight.map { $0.startedAt + policy.attemptLimit } ?? nextDue
        return min(due, freshness?.endsAt ?? due)
    }

    /// The program asks for a fetch, past every cache. Nil while one is under way.
    package mutating func requested(now: Duration) -> FetchOrder? { flight == nil ? begin(.request, now) : nil }

    /// Keys were wanted and there are none: a reason to look, within the same limit as an unknown key id.
    package mutating func keysWanted(now: Duration) -> FetchOrder? {
        guard flight == nil else {
            probes.wait(now)
            return nil
        }
        return probes.take(now) ? begin(.probe, now) : nil
    }

    /// A token named a key that the set does not have.
    package mutating func keyMissing(_ keyID: KeyIDHash, now: Duration) -> (answer: UnknownKeyAnswer, order: FetchOrder?) {
        // A scheduled fetch may be answered by a cache with what it had before the key was made: it proves nothing, and what has been
        // proved holds while it is under way.
        if !(flight?.isForced ?? false), probes.isKnownMissing(keyID, now) {
            probes.wait(now)
            return (.unknownKey, nil)
        }
        if let flight {
            probes.wait(now)
            probes.remember(keyID, awaiting: flight.isForced ? flight.sequence : flight.sequence + 1, now)
            return (.keysUnavailable, nil)
        }
        if probes.take(now) {
            let order = begin(.probe, now)
            probes.remember(keyID, awaiting: order.sequence, now)
            return (.keysUnavailable, order)
        }
        let isRecent = freshness.map { now - $0.confirmedAt < policy.probeWindow } ?? false
        return (isRecent ? .unknownKey : .keysUnavailable, nil)
    }

    /// Whether a fetch that was ordered after `order` has been applied.
    package func isOvertaken(_ order: FetchOrder) -> Bool { order.sequence <= appliedSequence }

    /// A fetch brought a set, or the word that the set is still the same.
    ///
    /// - Returns: whether it counts. One that was ordered before another that has been applied does not.
    @discardableResult
    package mutating func confirmed(_ order: FetchOrder, lifetime: Duration, isNew: Bool, now: Duration) -> Bool {
        guard !isOvertaken(order) else { return false }
        appliedSequence = order.sequence
        if flight?.sequence == order.sequence { flight = nil }
        failures = 0
        adopt(confirmedAt: order.startedAt, lifetime: lifetime, now)
        probes.confirmed(order, now)
        if isNew { advance() }
        return true
    }

    /// A fetch brought nothing that can be used.
    ///
    /// - Parameters:
    ///   - retryAfter: what the source asked for.
    ///   - recheck: an upper bound on the wait, for a set that is being held.
    package mutating func failed(_ order: FetchOrder, retryAfter: Duration? = nil, recheck: Duration? = nil, now: Duration) {
        guard flight?.sequence == order.sequence else { return }
        flight = nil
        failures += 1
        let floor = min(retryAfter ?? .zero, policy.longestRetryAfter)
        let pause = max(fullJitter(), floor)
        nextDue = now + min(pause, recheck ?? pause)
        probes.defer(until: now + min(floor, policy.probeWindow))
    }

    /// A set was found that had been stored by an earlier process: `age` old by the wall clock.
    package mutating func restored(age: Duration, lifetime: Duration, now: Duration) {
        adopt(confirmedAt: now - age, lifetime: lifetime, now)
        advance()
        nextDue = now
    }

    /// The program has no use for the keys at present: they go, and what a fetch under way brings does not count. What has been spent
    /// of the budget stays spent.
    package mutating func unload() {
        flight = nil
        appliedSequence = sequence
        if freshness != nil { end() }
    }

    // How

    private mutating func begin(_ cause: FetchOrder.Cause, _ now: Duration) -> FetchOrder {
        sequence += 1
        let order = FetchOrder(sequence: sequence, cause: cause, startedAt: now, generation: generation)
        flight = order
        return order
    }

    private mutating func adopt(confirmedAt: Duration, lifetime: Duration, _ now: Duration) {
        let expiresAt = confirmedAt + lifetime
        freshness = Freshness(confirmedAt: confirmedAt, expiresAt: expiresAt, endsAt: expiresAt + policy.staleIfError)
        let jitter = Double.random(in: -policy.refreshJitter...policy.refreshJitter, using: &random)
        // However the policy is set, a success is not followed by a fetch at once.
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

/// What a token is told whose key id the set does not have.
package enum UnknownKeyAnswer: Equatable, Sendable {
    /// There is no such key.
    case unknownKey
    /// There may be one soon: try again.
    case keysUnavailable
}
