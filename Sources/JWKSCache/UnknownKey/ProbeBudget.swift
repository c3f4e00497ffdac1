package import JWTCore

/// Limits how often tokens cause a fetch (a probe), and remembers which key ids are missing. Only a fetch can tell junk from a new key. So
/// the number of fetches is limited, and so is the time until the next one. A probe that finds its key is given back: it was no junk.
package struct ProbeBudget: Sendable {
    /// Probes refused.
    package private(set) var shed: UInt64 = 0
    private let limit: Int
    private let window: Duration
    private let lifetime: Duration
    private let capacity: Int
    private let attemptLimit: Duration
    /// The least time between two probes that are given back.
    private static let pace: Duration = .seconds(1)
    /// The times of the last probes, the oldest first: at most `limit`.
    private var stamps: [Duration] = []
    /// The time of the last probe that was given back.
    private var givenBack: Duration?
    private var deferredUntil: Duration?
    /// Since when tokens have asked for a missing key without a probe for it.
    private var waitingSince: Duration?
    private var missing: [KeyIDHash: Entry] = [:]
    private var prunedAt: Duration?
    /// The last forced fetch with a set, and its time.
    private var lastConfirmation: (sequence: UInt64, at: Duration)?
    /// The newest forced fetch that failed.
    private var lastFailure: UInt64 = 0

    private struct Entry: Sendable {
        /// The number of the first fetch ordered after the request for the key id.
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

    /// Takes a probe if one is permitted. It counts before the fetch begins, so that tokens do not overload a source that is down.
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

    /// Delays probes until `moment`, because the source asked for a pause. Repeated requests do not prolong it: no token waits longer than
    /// the window.
    package mutating func `defer`(until moment: Duration) { deferredUntil = moment }

    /// Records that a token asked for a missing key without causing a probe.
    package mutating func wait(_ now: Duration) { waitingSince = waitingSince ?? now }

    private func isDeferred(_ now: Duration) -> Bool {
        guard let deferredUntil, now < deferredUntil else { return false }
        return waitingSince.map { now - $0 < window } ?? true
    }

    /// Whether a recent set, fetched after the request for `keyID`, did not have it.
    package func isKnownMissing(_ keyID: KeyIDHash, _ now: Duration) -> Bool {
        guard let entry = missing[keyID], let last = lastConfirmation else { return false }
        return entry.sequence <= last.sequence && now - last.at < lifetime
    }

    /// Records that `keyID` was requested, and which fetch will decide. Above the capacity it is not recorded; then its tokens get
    /// `keys_unavailable` where they might have got `unknown_key`.
    package mutating func remember(_ keyID: KeyIDHash, awaiting sequence: UInt64, _ now: Duration) {
        if missing[keyID] == nil, missing.count >= capacity {
            guard prunedAt.map({ now - $0 >= .seconds(1) }) ?? true else { return }
            prunedAt = now
            missing = missing.filter { now - $0.value.askedAt < lifetime }
            guard missing.count < capacity else { return }
        }
        // A key id requested again while its fetch is in progress keeps that fetch.
        if let entry = missing[keyID], entry.sequence > lastConfirmation?.sequence ?? 0 { return }
        missing[keyID] = Entry(sequence: sequence, askedAt: now)
    }

    /// A fetch got a set.
    package mutating func confirmed(_ order: FetchOrder, _ now: Duration) {
        deferredUntil = nil
        waitingSince = nil
        // A response after its fetch was cancelled counts as of the cancellation.
        if order.isForced { lastConfirmation = (order.sequence, min(now, order.startedAt + attemptLimit)) }
    }

    /// A fetch got nothing usable.
    package mutating func failed(_ order: FetchOrder) { if order.isForced { lastFailure = max(lastFailure, order.sequence) } }

    /// Whether the newest forced fetch with a result failed. Then the cache does not know which keys the source has.
    package var hasFailed: Bool { lastFailure > lastConfirmation?.sequence ?? 0 }

    /// Gives a probe back that found the key it was sent for. The servers of a source may disagree, and each probe then finds its key: so one
    /// is given back in a second.
    package mutating func giveBack(_ order: FetchOrder) {
        guard let place = stamps.firstIndex(of: order.startedAt), givenBack.map({ order.startedAt - $0 >= Self.pace }) ?? true else {
            return
        }
        stamps.remove(at: place)
        givenBack = order.startedAt
    }

    /// Another set is accepted: no key id is known to be missing from it.
    package mutating func forgetMissing() { missing.removeAll(keepingCapacity: true) }

    /// The number of remembered key ids.
    package var remembered: Int { missing.count }
}
