internal import JWKSCache
internal import JWTCore
internal import TokenStatus

/// The lists of one issuer that tokens have named, within its limits.
struct IssuerLists: Sendable {
    let issuer: StatusListIssuer
    private let place: Int
    private let policy: StatusListPolicy
    private let limits: StatusListLimits
    /// Those that were fetched or are being fetched, by the bytes of their addresses: `String` treats some different addresses as equal.
    private(set) var lists: [[UInt8]: ListState] = [:]
    /// Those from whose address nothing came. Only a token causes the next fetch.
    private(set) var failed: [[UInt8]: ListState] = [:]
    /// Whether readers need another table.
    private(set) var hasChanged = false
    /// Fetches that tokens cause, and those that lifetimes cause: junk must not use up what keeps lists fresh.
    private var asked: FetchBudget
    private var scheduled: FetchBudget
    private var random: SeededGenerator

    init(_ issuer: StatusListIssuer, place: Int, _ policy: StatusListPolicy, _ limits: StatusListLimits, seed: UInt64) {
        self.issuer = issuer
        self.place = place
        self.policy = policy
        self.limits = limits
        asked = FetchBudget(limit: limits.fetchesPerSecond)
        scheduled = FetchBudget(limit: limits.fetchesPerSecond)
        random = SeededGenerator(seed: seed)
    }

    // Asking

    /// What is known of the token at `index` in the list at `uri`, and the fetch that the question causes, if one may be made now.
    mutating func ask(_ uri: [UInt8], index: Int, _ now: Duration) -> (verdict: StatusVerdict, order: ListOrder?) {
        // A list that was fetched, or is being fetched, follows its own schedule.
        if let verdict = lists[uri]?.asked(index, now) { return (verdict, nil) }
        if let verdict = failed[uri]?.asked(index, now) {
            guard failed[uri]?.isFetchDue(now) ?? false, mayAdd(now) else { return (verdict, nil) }
            lists[uri] = failed.removeValue(forKey: uri)
            return (verdict, order(uri, now))
        }
        guard uri.count <= limits.addressBytes, issuer.permits(uri) else { return (StatusVerdict(.forbiddenList), nil) }
        guard mayAdd(now) else { return (StatusVerdict(.unknownList), nil) }
        let new = ListState(String(decoding: uri, as: UTF8.self), policy, seed: random.next(), now: now)
        lists[uri] = new
        return (new.asked(index, now), order(uri, now))
    }

    /// Takes a fetch and makes room for its list, if both is possible now.
    private mutating func mayAdd(_ now: Duration) -> Bool { asked.room(now) <= now && makeRoom(now) && asked.take(now) }

    /// Makes room for one more list. False if all that are there are in use.
    private mutating func makeRoom(_ now: Duration) -> Bool {
        guard lists.count >= limits.listsPerIssuer else { return true }
        let idle = lists.filter { $0.value.isIdle(now, for: limits.idleTime) }
        guard let oldest = idle.min(by: { $0.value.use.last < $1.value.use.last }) else { return false }
        return remove(oldest.key)
    }

    private mutating func order(_ uri: [UInt8], _ now: Duration) -> ListOrder? {
        lists[uri]?.tick(now: now, mayFetch: true).flatMap { lists[uri]?.order($0, issuer: place) }
    }

    /// Forgets the list at `uri` with everything known of it. True if there was one.
    mutating func remove(_ uri: [UInt8]) -> Bool {
        guard let list = lists.removeValue(forKey: uri) else { return failed.removeValue(forKey: uri) != nil }
        if list.list != nil { hasChanged = true }
        return true
    }

    // Driving

    /// Advances the time of every list.
    mutating func tick(_ now: Duration) -> [ListOrder] {
        var orders: [ListOrder] = []
        for uri in lists.filter({ $0.value.isIdle(now, for: limits.idleLife) }).keys { _ = remove(uri) }
        for uri in failed.filter({ $0.value.isIdle(now, for: limits.idleLife) }).keys { _ = remove(uri) }
        // The longest due first: where the limit of fetches is too low for all lists, each gets its turn.
        let due = lists.filter { $0.value.nextTick(now) <= now }.sorted { $0.value.state.nextDue < $1.value.state.nextDue }
        for (uri, list) in due {
            let mayFetch = list.isFetchDue(now) && scheduled.take(now)
            let fetch = lists[uri]?.tick(now: now, mayFetch: mayFetch)
            guard let ticked = lists[uri] else { continue }
            if let fetch { orders.append(ticked.order(fetch, issuer: place)) }
            if list.list != nil, ticked.list == nil { hasChanged = true }
            setAside(uri)
        }
        return orders
    }

    /// Keys have come: lists that lacked them are due now.
    mutating func keysCame(_ now: Duration) {
        for uri in lists.keys { lists[uri]?.keysCame(now) }
        for uri in failed.keys { failed[uri]?.keysCame(now) }
    }

    func isOver(_ order: ListOrder) -> Bool {
        let uri = Array(order.uri.utf8)
        return (lists[uri] ?? failed[uri])?.state.isOvertaken(order.fetch) ?? true
    }

    /// Whether the list at `uri` may come before another token asks: it is being fetched, or its last fetch lacked keys.
    func mayCome(_ uri: [UInt8]) -> Bool {
        guard let list = lists[uri] ?? failed[uri] else { return false }
        return list.state.flight != nil || list.lacksKeys
    }

    /// When ``tick(_:)`` next has work to do; nil without lists.
    func nextTick(_ now: Duration) -> Duration? {
        let room = scheduled.room(now)
        return lists.values.map { list in
            let next = list.nextTick(room)
            return list.state.flight == nil ? min(next, list.use.last + limits.idleLife) : next
        }.min()
    }

    /// `result`, unless its list must not take the place of the last one: then why not.
    func judged(_ result: ListResult, of order: ListOrder) -> ListResult {
        guard case .list(let list, _) = result else { return result }
        if let named = list.issuer, !named.utf8.elementsEqual(issuer.issuer.utf8) { return .failed(.otherIssuer, retryAfter: nil) }
        guard let failure = lists[Array(order.uri.utf8)]?.refusal(of: list) else { return result }
        return .failed(failure, retryAfter: nil)
    }

    /// Processes the result of `order`, which has been judged.
    mutating func complete(_ order: ListOrder, _ result: ListResult, _ end: ListState.End) {
        let uri = Array(order.uri.utf8)
        lists[uri]?.complete(order.fetch, result, end)
        // A refusal also moves the end of the list.
        hasChanged = true
        setAside(uri)
    }

    /// Keeps an address from which nothing came apart, and forgets the one that was longest not asked for if there are too many.
    private mutating func setAside(_ uri: [UInt8]) {
        guard lists[uri]?.isBarren ?? false else { return }
        failed[uri] = lists.removeValue(forKey: uri)
        guard failed.count > limits.failedAddressesPerIssuer else { return }
        if let oldest = failed.min(by: { $0.value.use.last < $1.value.use.last }) { failed[oldest.key] = nil }
    }

    /// The accepted lists for readers, once after each change.
    mutating func takeRows() -> [ListTable.Row]? {
        guard hasChanged else { return nil }
        hasChanged = false
        return lists.values.compactMap { state in
            guard let list = state.list, let endsAt = state.endsAt else { return nil }
            return ListTable.Row(uri: state.uri, list: list, endsAt: endsAt.nanoseconds, use: state.use)
        }
    }
}
