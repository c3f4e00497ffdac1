package import JWTCore

/// How often tokens may cause a fetch, and which key ids are known to be missing. Junk cannot be told from a new key before the set has
/// been looked at; so what is limited is how often it is looked at, and what is guaranteed is when it may be looked at next.
package struct ProbeBudget: Sendable {
    /// Probes that were not permitted.
    package private(set) var shed: UInt64 = 0
    private let limit: Int
    private let window: Duration
    private let lifetime: Duration
    private let capacity: Int
    private let attemptLimit: Duration
    /// When the last probes were ordered, the oldest first: at most `limit`.
    private var stamps: [Duration] = []
    private var deferredUntil: Duration?
    /// Since when tokens have asked for what is missing without a probe for it.
    private var waitingSince: Duration?
    private var missing: [KeyIDHash: Entry] = [:]
    private var prunedAt: Duration?
    /// The last forced fetch that brought a set, and when.
    private var lastConfirmation: (sequence: UInt64, at: Duration)?

    private struct Entry: Sendable {
        /// The fetch that was or will be ordered after the key id was asked for.
        var sequence: UInt64
        var askedAt: Duration
    }

    package init(_ policy: RefreshPolicy) {
        limit = policy.probeLimit
        window = policy.probeWindow
        lifetime = policy.negativeLifetime
        capacity = policy.negativeCapacity
        attemptLimit = policy.attemptLimit
    }

    /// Takes a probe if one is permitted. It is paid for before the fetch, so that a dead source is not asked by every token.
    package mutating func take(_ now: Duration) -> Bool {
        stamps.removeAll { now - $0 >= window }
        guard stamps.count < limit, !isDeferred(now) else {
            shed += 1
            wait(now)
            return false
        }
        stamps.append(now)
        deferredUntil = nil
        waitingSince = nil
        return true
    }

    /// No probe before `moment`: the source asked for it. Asking again and again does not help it: no token waits for longer than the
    /// window.
    package mutating func `defer`(until moment: Duration) { deferredUntil = moment }

    /// A token asked for what is missing, and no probe came of it.
    package mutating func wait(_ now: Duration) { waitingSince = waitingSince ?? now }

    private func isDeferred(_ now: Duration) -> Bool {
        guard let deferredUntil, now < deferredUntil else { return false }
        return waitingSince.map { now - $0 < window } ?? true
    }

    /// Whether a set was looked at after `keyID` had been asked for, recently enough, and did not have it.
    package func isKnownMissing(_ keyID: KeyIDHash, _ now: Duration) -> Bool {
        guard let entry = missing[keyID], let last = lastConfirmation else { return false }
        return entry.sequence <= last.sequence && now - last.at < lifetime
    }

    /// Notes that `keyID` was asked for, and which fetch will tell. Beyond the capacity it is not noted, which costs nothing but an
    /// earlier answer.
    package mutating func remember(_ keyID: KeyIDHash, awaiting sequence: UInt64, _ now: Duration) {
        if missing[keyID] == nil, missing.count >= capacity {
            guard prunedAt.map({ now - $0 >= .seconds(1) }) ?? true else { return }
            prunedAt = now
            missing = missing.filter { now - $0.value.askedAt < lifetime }
            guard missing.count < capacity else { return }
        }
        // Whoever asks again while the answer is under way does not move the question.
        if let entry = missing[keyID], entry.sequence > lastConfirmation?.sequence ?? 0 { return }
        missing[keyID] = Entry(sequence: sequence, askedAt: now)
    }

    /// A fetch brought a set.
    package mutating func confirmed(_ order: FetchOrder, _ now: Duration) {
        deferredUntil = nil
        waitingSince = nil
        // An answer that comes after its fetch was given up tells of that time at the latest.
        if order.isForced { lastConfirmation = (order.sequence, min(now, order.startedAt + attemptLimit)) }
    }

    /// Another set is believed: every question is open again.
    package mutating func forgetMissing() { missing.removeAll(keepingCapacity: true) }

    /// How many key ids are remembered.
    package var remembered: Int { missing.count }
}
