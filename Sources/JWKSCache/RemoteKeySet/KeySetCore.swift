package import JWTCore
internal import Locks

/// A remote key set without its network: decides which keys are accepted, until when, and which fetch comes next. A value used by
/// ``RemoteKeySet`` and the key cache simulation.
package struct KeySetCore: Sendable {
    package private(set) var state: RefreshState
    /// The accepted set; nil without keys.
    package private(set) var keys: KeySet?
    package private(set) var validators: Validators?
    package private(set) var skew = ClockSkew()
    package private(set) var lastFailure: RefreshFailure?
    /// The text of the accepted set, for storing.
    package private(set) var document: [UInt8] = []
    /// The source's last lifetime, for a 304 without one.
    private var stated: Duration?
    /// The refresh hint of the accepted bundle, which overrides the HTTP lifetime.
    private var hint: Duration?
    private var bundleSequence: UInt64 = 0
    /// A set that removes more keys than the policy allows at once; it waits for confirmation.
    private var held: (keys: KeySet, sequence: UInt64)?
    private var events: [RefreshEvent.Kind] = []

    package init(policy: RefreshPolicy, seed: UInt64, now: Duration) {
        state = RefreshState(policy: policy, seed: seed, now: now)
    }

    package var policy: RefreshPolicy { state.policy }

    // Orders

    /// Advances the time: drops a set that is too old, cancels a fetch that takes too long, orders a fetch that is due.
    package mutating func tick(now: Duration) -> FetchOrder? {
        let abandoned = state.flight
        let failures = state.failures
        let order = state.tick(now: now)
        if abandoned != nil, state.failures > failures { note(.attemptTimedOut, now) }
        if keys != nil, state.freshness == nil {
            drop()
            events.append(.expired)
        }
        return noted(order)
    }

    package mutating func keysWanted(now: Duration) -> FetchOrder? {
        if let order = tick(now: now) { return order }
        return noted(state.keysWanted(now: now))
    }

    package mutating func keyMissing(_ keyID: KeyIDHash, now: Duration) -> (answer: UnknownKeyAnswer, order: FetchOrder?) {
        let (answer, order) = state.keyMissing(keyID, now: now)
        return (answer, noted(order))
    }

    package mutating func requested(now: Duration) -> FetchOrder? { noted(state.requested(now: now)) }

    /// The state that the ordered fetch starts with.
    package func situation(of order: FetchOrder) -> FetchSituation {
        FetchSituation(order: order, keys: keys, validators: validators, policy: policy)
    }

    /// The events since the last call.
    package mutating func takeEvents() -> [RefreshEvent.Kind] {
        defer { events.removeAll() }
        return events
    }

    private mutating func noted(_ order: FetchOrder?) -> FetchOrder? {
        if let order { events.append(.fetchStarted(cause: order.cause.rawValue)) }
        return order
    }

    // Results

    /// The end of a fetch, by both clocks.
    private struct End {
        let order: FetchOrder
        let now: Duration
        let date: NumericDate
    }

    /// Processes the result of `order`.
    package mutating func complete(_ order: FetchOrder, _ result: FetchResult, now: Duration, date: NumericDate) {
        guard !state.isOvertaken(order) else { return events.append(.overtaken) }
        let end = End(order: order, now: now, date: date)
        switch result {
        case .failed(let failure, let retryAfter): fail(failure, retryAfter: retryAfter, end)
        case .notModified(let directives):
            guard keys != nil, order.generation == state.generation else { return fail(.unexpectedNotModified, end) }
            noteDate(directives, end)
            renew(directives, isNew: false, end)
            events.append(.confirmed)
        case .document(let fetched):
            noteDate(fetched.directives, end)
            if let failure = refusal(of: fetched.document, order) { return fail(failure, end) }
            install(fetched, end)
        }
    }

    /// Why `document` must not be installed; nil if it may be.
    private mutating func refusal(of document: KeyDocument, _ order: FetchOrder) -> RefreshFailure? {
        if let sequence = document.sequence, sequence < bundleSequence { return .olderSequence }
        guard let limit = policy.maximumChurn, let keys else { return nil }
        let churn = KeySetChange(from: keys, to: document.keys).churn
        guard churn > limit, !(held?.keys.hasSameKeys(as: document.keys) ?? false) else { return nil }
        // A late answer does not replace a held set of a later fetch.
        if order.sequence > held?.sequence ?? 0 { held = (document.keys, order.sequence) }
        return .held(churn: churn)
    }

    private mutating func install(_ fetched: FetchedDocument, _ end: End) {
        let document = fetched.document, directives = fetched.directives
        let isNew = !(keys?.hasSameKeys(as: document.keys) ?? false)
        (stated, hint) = (nil, document.refreshHint)
        renew(directives, isNew: isNew, found: document.keys.has(end.order.wanted), end)
        validators = Validators(origin: fetched.origin, entityTag: directives.entityTag, lastModified: directives.lastModified)
        self.document = document.text
        bundleSequence = document.sequence ?? bundleSequence
        guard isNew else { return events.append(.confirmed) }
        let change = KeySetChange(from: keys, to: document.keys)
        keys = document.keys
        events.append(.installed(change, generation: state.generation))
        events += Self.alarms(document.keys, change).map { .alarm($0) }
    }

    /// Makes the accepted set fresh from the start of the fetch. Drops the held set, unless a later fetch brought it.
    private mutating func renew(_ directives: CacheDirectives, isNew: Bool, found: Bool = false, _ end: End) {
        var directives = directives
        directives.lifetime = hint ?? directives.lifetime ?? stated
        stated = directives.lifetime
        state.confirmed(end.order, lifetime: policy.lifetime(directives), isNew: isNew, found: found, now: end.now)
        lastFailure = nil
        if end.order.sequence >= held?.sequence ?? 0 { held = nil }
    }

    private mutating func fail(_ failure: RefreshFailure, retryAfter: Duration? = nil, _ end: End) {
        guard state.flight == end.order else { return events.append(.overtaken) }
        var recheck: Duration?
        if case .held = failure { recheck = policy.heldRecheck }
        state.failed(end.order, retryAfter: retryAfter, recheck: recheck, now: end.now)
        note(failure, end.now)
    }

    private mutating func note(_ failure: RefreshFailure, _ now: Duration) {
        lastFailure = failure
        events.append(.fetchFailed(failure, retryIn: state.nextDue - now))
    }

    private mutating func noteDate(_ directives: CacheDirectives, _ end: End) {
        let before = skew.estimate ?? .zero
        skew.note(date: directives.date, age: directives.age, now: end.date)
        let alarming = ClockSkew.alarming
        guard let after = skew.estimate, abs(after) > alarming, abs(before) <= alarming else { return }
        events.append(.alarm(.clockSkew(after)))
    }

    // Stored and unloaded keys

    /// Tells that a stored set was not accepted.
    mutating func refuseStored(_ reason: String) { events.append(.storedSetRefused(reason)) }

    /// Accepts a set stored by an earlier process, unless it is from the future, it is too old, or there are keys already.
    package mutating func restore(_ document: KeyDocument, age: Duration, lifetime: Duration, now: Duration) {
        guard keys == nil else { return }
        guard age >= .zero else { return refuseStored("it is of the future") }
        let lifetime = min(max(lifetime, policy.lifetimeBounds.lowerBound), policy.lifetimeBounds.upperBound)
        guard age < lifetime + policy.staleIfError else { return refuseStored("it is too old") }
        guard document.hasUsableKey else { return refuseStored("it has no usable key") }
        state.restored(age: age, lifetime: lifetime, now: now)
        keys = document.keys
        self.document = document.text
        bundleSequence = document.sequence ?? 0
        events.append(.restored(age: age))
    }

    /// Drops the keys of a set that is not in use.
    package mutating func unload() {
        state.unload()
        drop()
    }

    private mutating func drop() {
        keys = nil
        validators = nil
        document = []
    }

    private static func alarms(_ keys: KeySet, _ change: KeySetChange) -> [RefreshEvent.Alarm] {
        var alarms: [RefreshEvent.Alarm] = change.replaced.map { .keyReplaced(keyID: $0) }
        for key in keys.keys {
            if key.advisories.contains(.privateMaterial) { alarms.append(.privateKeyPublished(keyID: key.keyID)) }
            if key.advisories.contains(.publishedSecret) { alarms.append(.secretPublished(keyID: key.keyID)) }
        }
        var seen: Set<[UInt8]> = []
        for name in keys.keys.filter(\.isUsable).compactMap(\.keyID) where !seen.insert(Array(name.utf8)).inserted {
            alarms.append(.duplicateKeyID(name))
        }
        return alarms
    }
}

extension KeySet {
    /// Whether the key that a fetch was sent for is here; false if it was sent for none.
    func has(_ wanted: KeyIDHash?) -> Bool {
        guard let wanted else { return false }
        return keys.contains { $0.keyID.map { KeyIDHash($0) == wanted } ?? false }
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
