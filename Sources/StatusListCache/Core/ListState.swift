internal import JWKSCache
internal import JWTCore
internal import TokenStatus

/// One list without its network: what is accepted from its address, until when, and when it is fetched.
struct ListState: Sendable {
    let uri: String
    let policy: StatusListPolicy
    /// When a token first named it.
    let askedAt: Duration
    let use: ListUse
    private(set) var state: RefreshState
    /// The accepted list; nil without one, or when it is too old.
    private(set) var list: VerifiedStatusList?
    /// What the next list must not fall below. It outlives the list.
    private(set) var floor: Floor?
    private(set) var lastFailure: StatusListFailure?
    /// When the end of the last fetch with a list was.
    private(set) var succeededAt: Duration?
    /// Since when what comes from the address is refused; nil after a success.
    private var refusedSince: Duration?
    private var entityTag: String?
    private var lastModified: String?
    /// The last lifetime in a response, for a 304 without one.
    private var stated: Duration?
    /// When the list expires by its `exp`.
    private var expiresAt: Duration?

    /// The last accepted list, as far as the next one is compared with it.
    struct Floor: Sendable {
        let issuedAt: NumericDate
        let bits: Int
        let count: Int
    }

    /// The end of a fetch, by both clocks.
    struct End {
        let now: Duration
        let date: NumericDate
        /// How far clocks may differ.
        let leeway: Duration
    }

    init(_ uri: String, _ policy: StatusListPolicy, seed: UInt64, now: Duration) {
        self.uri = uri
        self.policy = policy
        askedAt = now
        use = ListUse(now.nanoseconds)
        state = RefreshState(policy: policy.refresh, seed: seed, now: now)
    }

    // Reading

    var bytes: Int { list?.byteCount ?? 0 }

    /// Until when the list is accepted; nil without one. A refusal is no outage: it ends what an outage prolongs.
    var endsAt: Duration? {
        guard list != nil, let freshness = state.freshness else { return nil }
        let outage = policy.refresh.staleIfError
        let end = freshness.expiresAt + (refusedSince == nil ? outage : min(policy.refusedGrace, outage))
        return min(end, expiresAt ?? end)
    }

    /// What the list says of the token at `place`, or why it says nothing.
    private func verdict(_ place: Int, _ now: Duration) -> StatusVerdict {
        if let list, let endsAt, now < endsAt { return StatusVerdict(StatusFinding(list.status(at: place))) }
        if let refusedSince {
            return StatusVerdict(.refusedList, isAdmitted: floor == nil && now < refusedSince + policy.refusedGrace)
        }
        return floor == nil ? StatusVerdict(.unknownList, isAdmitted: now < askedAt + policy.absentGrace) : StatusVerdict(.staleList)
    }

    /// The same for a token, whose question is a use of the list.
    func asked(_ place: Int, _ now: Duration) -> StatusVerdict {
        use.note(now.nanoseconds)
        return verdict(place, now)
    }

    /// Whether no list ever came from the address, and none is being fetched.
    var isBarren: Bool { floor == nil && state.flight == nil }

    func isIdle(_ now: Duration, for time: Duration) -> Bool { state.flight == nil && now - use.last >= time }

    /// Whether only limits keep a fetch from being made.
    func isFetchDue(_ now: Duration) -> Bool { state.flight == nil && now >= state.nextDue }

    /// When ``tick(now:mayFetch:)`` next has work to do, if no fetch may be made before `room`.
    func nextTick(_ room: Duration) -> Duration {
        let due = state.flight.map { $0.startedAt + policy.refresh.attemptLimit } ?? max(state.nextDue, room)
        return min(due, state.freshness?.endsAt ?? due)
    }

    /// Whether its last fetch brought a list that keys may verify later.
    var lacksKeys: Bool { state.failures > 0 && lastFailure?.lacksKeys ?? false }

    // Fetching

    /// Advances the time: cancels a fetch that takes too long, drops a list that is too old, orders a fetch that is due.
    mutating func tick(now: Duration, mayFetch: Bool) -> FetchOrder? {
        let abandoned = state.flight, failures = state.failures
        let order = state.tick(now: now, mayFetch: mayFetch)
        if abandoned != nil, state.failures > failures { lastFailure = .attemptTimedOut }
        if state.freshness == nil { drop() }
        return order
    }

    func order(_ fetch: FetchOrder, issuer: Int) -> ListOrder {
        ListOrder(issuer: issuer, uri: uri, fetch: fetch, entityTag: entityTag, lastModified: lastModified)
    }

    /// Processes the result of `order`. A list in it has been judged.
    mutating func complete(_ order: FetchOrder, _ result: ListResult, _ end: End) {
        guard !state.isOvertaken(order) else { return }
        switch result {
        case .failed(let failure, let retryAfter): fail(order, failure, retryAfter: retryAfter, end)
        case .notModified(let directives):
            guard let list, order.generation == state.generation else { return fail(order, .unexpectedNotModified, end) }
            guard list.isCurrent(at: end.date, leeway: end.leeway) else {
                // The next request must not be answered by the same 304.
                (entityTag, lastModified) = (nil, nil)
                return fail(order, .refused(StatusListError(refusing: VerificationError(.expired, claim: .expiration))), end)
            }
            renew(order, list, directives, isNew: false, end)
        case .list(let new, let directives): install(order, new, directives, end)
        }
    }

    /// Why `new` must not take the place of the last list; nil if it may.
    func refusal(of new: VerifiedStatusList) -> StatusListFailure? {
        guard let floor else { return nil }
        if new.issuedAt < floor.issuedAt { return .older }
        if new.bits != floor.bits { return .otherBits }
        return new.count < floor.count ? .shrunken : nil
    }

    private mutating func install(_ order: FetchOrder, _ new: VerifiedStatusList, _ directives: CacheDirectives, _ end: End) {
        stated = nil
        list = new
        floor = Floor(issuedAt: new.issuedAt, bits: new.bits, count: new.count)
        (entityTag, lastModified) = (directives.entityTag, directives.lastModified)
        renew(order, new, directives, isNew: true, end)
    }

    /// Makes the list fresh from the start of the fetch.
    private mutating func renew(_ order: FetchOrder, _ list: VerifiedStatusList, _ directives: CacheDirectives, isNew: Bool, _ end: End) {
        var directives = directives
        stated = directives.lifetime ?? stated
        directives.lifetime = list.timeToLive ?? stated
        var lifetime = policy.refresh.lifetime(directives)
        expiresAt = nil
        if let expiration = list.expiration {
            let left = Duration.seconds(expiration.advanced(by: end.leeway).seconds - end.date.seconds)
            expiresAt = end.now + left
            lifetime = min(lifetime, left)
        }
        state.confirmed(order, lifetime: lifetime, isNew: isNew, now: end.now)
        (lastFailure, refusedSince, succeededAt) = (nil, nil, end.now)
    }

    private mutating func fail(_ order: FetchOrder, _ failure: StatusListFailure, retryAfter: Duration? = nil, _ end: End) {
        guard state.flight == order else { return }
        state.failed(order, retryAfter: retryAfter, now: end.now)
        lastFailure = failure
        if failure.isRefusal { refusedSince = refusedSince ?? end.now }
    }

    /// Keys have come: a list that lacked them is due now.
    mutating func keysCame(_ now: Duration) { if lacksKeys { state.retry(now: now) } }

    private mutating func drop() {
        list = nil
        (entityTag, lastModified) = (nil, nil)
    }
}

extension VerifiedStatusList {
    /// Bytes of the list in memory.
    var byteCount: Int { count * bits / 8 }
}
