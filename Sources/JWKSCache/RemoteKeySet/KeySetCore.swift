package import JWTCore

/// A remote key set without its network: what is believed, why, and what is ordered next. A value, driven by ``RemoteKeySet`` and by
/// the simulation.
package struct KeySetCore: Sendable {
    package private(set) var state: RefreshState
    /// What is believed; nil without keys.
    package private(set) var keys: KeySet?
    package private(set) var validators: Validators?
    package private(set) var skew = ClockSkew()
    package private(set) var lastFailure: RefreshFailure?
    /// The text of what is believed, as it is stored.
    package private(set) var document: [UInt8] = []
    /// The lifetime that the source gave last, for a 304 that gives none.
    private var stated: Duration?
    /// What the bundle at hand says of itself, whatever HTTP says.
    private var hint: Duration?
    private var bundleSequence: UInt64 = 0
    /// A set that takes away more keys than the policy lets go at once.
    private var held: (keys: KeySet, sequence: UInt64)?

    package init(policy: RefreshPolicy, seed: UInt64, now: Duration) {
        state = RefreshState(policy: policy, seed: seed, now: now)
    }

    package var policy: RefreshPolicy { state.policy }

    // Orders

    /// Lets time pass. Ends what is no longer believed.
    package mutating func tick(now: Duration, _ events: inout [RefreshEvent.Kind]) -> FetchOrder? {
        let abandoned = state.flight
        let failures = state.failures
        let order = state.tick(now: now)
        if abandoned != nil, state.failures > failures { note(.attemptTimedOut, now, &events) }
        if keys != nil, state.freshness == nil { forget(&events) }
        return noted(order, &events)
    }

    package mutating func keysWanted(now: Duration, _ events: inout [RefreshEvent.Kind]) -> FetchOrder? {
        if let order = tick(now: now, &events) { return order }
        return noted(state.keysWanted(now: now), &events)
    }

    package mutating func keyMissing(
        _ keyID: KeyIDHash, now: Duration, _ events: inout [RefreshEvent.Kind]
    ) -> (answer: UnknownKeyAnswer, order: FetchOrder?) {
        let (answer, order) = state.keyMissing(keyID, now: now)
        return (answer, noted(order, &events))
    }

    package mutating func requested(now: Duration, _ events: inout [RefreshEvent.Kind]) -> FetchOrder? {
        noted(state.requested(now: now), &events)
    }

    private func noted(_ order: FetchOrder?, _ events: inout [RefreshEvent.Kind]) -> FetchOrder? {
        if let order { events.append(.fetchStarted(cause: order.cause.rawValue)) }
        return order
    }

    // Results

    /// Takes in what came of `order`.
    package mutating func complete(
        _ order: FetchOrder, _ result: FetchResult, now: Duration, date: NumericDate, _ events: inout [RefreshEvent.Kind]
    ) {
        guard !state.isOvertaken(order) else { return events.append(.overtaken) }
        switch result {
        case .failed(let failure, let retryAfter): fail(order, failure, retryAfter: retryAfter, now, &events)
        case .notModified(let directives):
            guard keys != nil, order.generation == state.generation else { return fail(order, .unexpectedNotModified, now, &events) }
            noteDate(directives, date, &events)
            confirm(order, directives, now, &events)
        case .document(let document, let directives, let origin):
            noteDate(directives, date, &events)
            if let failure = refusal(of: document, order) { return fail(order, failure, now, &events) }
            install(order, document, directives, origin, now, &events)
        }
    }

    /// Why `document` is not installed; nil if it is. The gate in front of what is believed.
    private mutating func refusal(of document: KeyDocument, _ order: FetchOrder) -> RefreshFailure? {
        if !document.hasUsableKey, !(document.keys.keys.isEmpty && policy.emptySet == .revokesAll) { return .noUsableKey }
        if let sequence = document.sequence, sequence < bundleSequence { return .olderSequence }
        guard let limit = policy.maximumChurn, let keys else { return nil }
        let churn = KeySetChange(from: keys, to: document.keys).churn
        guard churn > limit, !(held?.keys.hasSameKeys(as: document.keys) ?? false) else { return nil }
        // An answer that comes late does not take the place of what was seen after it.
        if order.sequence > held?.sequence ?? 0 { held = (document.keys, order.sequence) }
        return .held(churn: churn)
    }

    private mutating func install(
        _ order: FetchOrder, _ document: KeyDocument, _ directives: CacheDirectives, _ origin: FetchResult.Origin, _ now: Duration,
        _ events: inout [RefreshEvent.Kind]
    ) {
        let isNew = !(keys?.hasSameKeys(as: document.keys) ?? false)
        let change = KeySetChange(from: keys, to: document.keys)
        var directives = directives
        directives.lifetime = document.refreshHint ?? directives.lifetime
        let lifetime = policy.lifetime(directives)
        guard state.confirmed(order, lifetime: lifetime, isNew: isNew, now: now) else { return events.append(.overtaken) }
        stated = directives.lifetime
        hint = document.refreshHint
        validators = Validators(origin: origin, entityTag: directives.entityTag, lastModified: directives.lastModified)
        self.document = document.text
        bundleSequence = document.sequence ?? bundleSequence
        lastFailure = nil
        release(order)
        guard isNew else { return events.append(.confirmed) }
        keys = document.keys
        events.append(.installed(change, generation: state.generation))
        events += Self.alarms(document.keys, change).map { .alarm($0) }
    }

    private mutating func confirm(_ order: FetchOrder, _ directives: CacheDirectives, _ now: Duration, _ events: inout [RefreshEvent.Kind])
    {
        var directives = directives
        directives.lifetime = hint ?? directives.lifetime ?? stated
        guard state.confirmed(order, lifetime: policy.lifetime(directives), isNew: false, now: now) else {
            return events.append(.overtaken)
        }
        stated = directives.lifetime
        lastFailure = nil
        release(order)
        events.append(.confirmed)
    }

    /// What is held has been seen for the last time, unless that was after `order`.
    private mutating func release(_ order: FetchOrder) {
        if order.sequence >= held?.sequence ?? 0 { held = nil }
    }

    private mutating func fail(
        _ order: FetchOrder, _ failure: RefreshFailure, retryAfter: Duration? = nil, _ now: Duration, _ events: inout [RefreshEvent.Kind]
    ) {
        guard state.flight == order else { return events.append(.overtaken) }
        var recheck: Duration?
        if case .held = failure { recheck = policy.heldRecheck }
        state.failed(order, retryAfter: retryAfter, recheck: recheck, now: now)
        note(failure, now, &events)
    }

    private mutating func note(_ failure: RefreshFailure, _ now: Duration, _ events: inout [RefreshEvent.Kind]) {
        lastFailure = failure
        events.append(.fetchFailed(failure, retryIn: state.nextDue - now))
    }

    private mutating func noteDate(_ directives: CacheDirectives, _ date: NumericDate, _ events: inout [RefreshEvent.Kind]) {
        let before = skew.estimate ?? .zero
        skew.note(date: directives.date, age: directives.age, now: date)
        let alarming = ClockSkew.alarming
        guard let after = skew.estimate, abs(after) > alarming, abs(before) <= alarming else { return }
        events.append(.alarm(.clockSkew(after)))
    }

    // Keys from elsewhere, and none

    /// Believes a set that an earlier process stored, unless it is of the future, too old, or newer keys are there.
    package mutating func restore(
        _ document: KeyDocument, age: Duration, lifetime: Duration, now: Duration, _ events: inout [RefreshEvent.Kind]
    ) {
        guard keys == nil else { return }
        guard age >= .zero else { return events.append(.storedSetRefused("it is of the future")) }
        let lifetime = min(max(lifetime, policy.lifetimeBounds.lowerBound), policy.lifetimeBounds.upperBound)
        guard age < lifetime + policy.staleIfError else { return events.append(.storedSetRefused("it is too old")) }
        guard document.hasUsableKey else { return events.append(.storedSetRefused("it has no usable key")) }
        state.restored(age: age, lifetime: lifetime, now: now)
        keys = document.keys
        self.document = document.text
        bundleSequence = document.sequence ?? 0
        events.append(.restored(age: age))
    }

    /// Drops the keys of a set that is not in use.
    package mutating func unload() {
        state.unload()
        keys = nil
        validators = nil
        document = []
    }

    private mutating func forget(_ events: inout [RefreshEvent.Kind]) {
        keys = nil
        validators = nil
        document = []
        events.append(.expired)
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

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
