internal import JWKSCache
package import JWTCore
internal import TokenStatus

/// A cache of status lists without its network: decides which lists are accepted, until when, and which fetches are made. A value used by
/// ``StatusLists`` and by tests.
package struct ListsCore: Sendable {
    private(set) var issuers: [IssuerLists]
    private let limits: StatusListLimits
    /// The issuers whose readers may need another table.
    private var changed: Set<Int> = []

    package init(_ issuers: [StatusListIssuer], policy: StatusListPolicy, limits: StatusListLimits, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.limits = limits
        self.issuers = issuers.enumerated().map { IssuerLists($1, place: $0, policy, limits, seed: random.next()) }
    }

    /// What is known of the token at `index` in the list at `uri` of an issuer, and the fetch that the question causes, if one may be made
    /// now.
    package mutating func ask(
        _ issuer: Int, _ uri: [UInt8], index: Int, now: Duration
    ) -> (verdict: StatusVerdict, order: ListOrder?) {
        let answer = issuers[issuer].ask(uri, index: index, now)
        if issuers[issuer].hasChanged { changed.insert(issuer) }
        return answer
    }

    /// Advances the time: cancels fetches that take too long, drops lists that are too old or unused, orders fetches that are due.
    package mutating func tick(now: Duration) -> [ListOrder] {
        var orders: [ListOrder] = []
        for place in issuers.indices {
            orders += issuers[place].tick(now)
            if issuers[place].hasChanged { changed.insert(place) }
        }
        return orders
    }

    /// When ``tick(now:)`` next has work to do; nil without lists.
    package func nextTick(now: Duration) -> Duration? { issuers.compactMap { $0.nextTick(now) }.min() }

    /// Processes the result of `order`.
    package mutating func complete(_ order: ListOrder, _ result: ListResult, now: Duration, date: NumericDate) {
        let end = ListState.End(now: now, date: date, leeway: issuers[order.issuer].issuer.leeway)
        // A list that was forgotten meanwhile takes no room.
        guard issuers[order.issuer].lists[Array(order.uri.utf8)] != nil else { return }
        var result = issuers[order.issuer].judged(result, of: order)
        if case .list(let list, _) = result, !makeRoom(for: list.byteCount, order, now) {
            result = .failed(.overBudget, retryAfter: nil)
        }
        issuers[order.issuer].complete(order, result, end)
        changed.insert(order.issuer)
    }

    /// Whether `order` or a later one has brought or confirmed the list at its address, or the address was forgotten.
    package func isOver(_ order: ListOrder) -> Bool { issuers[order.issuer].isOver(order) }

    /// Keys of an issuer have come: its lists that lacked them are due now, those from whose address none came with the next token.
    package mutating func keysCame(_ issuer: Int, now: Duration) { issuers[issuer].keysCame(now) }

    /// Whether the list at `uri` is being fetched, or lacks only keys.
    package func mayCome(_ issuer: Int, _ uri: [UInt8]) -> Bool { issuers[issuer].mayCome(uri) }

    /// Forgets the list at `uri`, and what the next one is compared with.
    package mutating func forget(_ issuer: Int, _ uri: [UInt8]) -> Bool {
        defer { changed.insert(issuer) }
        return issuers[issuer].remove(uri)
    }

    /// The fetch in progress for the list at `uri`.
    package func flight(_ issuer: Int, _ uri: [UInt8]) -> UInt64? { issuers[issuer].lists[uri]?.state.flight?.sequence }

    /// Drops the least recently used lists that are idle, until there is room for a list of `bytes` in place of the one before it. False,
    /// and nothing is dropped, if lists in use leave none.
    private mutating func makeRoom(for bytes: Int, _ order: ListOrder, _ now: Duration) -> Bool {
        let uri = Array(order.uri.utf8)
        let others = issuers.enumerated().flatMap { place, issuer in
            issuer.lists.compactMap { $0.value.list == nil || place == order.issuer && $0.key == uri ? nil : (place, $0.key, $0.value) }
        }
        var excess = others.reduce(bytes) { $0 + $1.2.bytes } - limits.totalBytes
        guard excess > 0 else { return true }
        let idle = others.filter { $0.2.isIdle(now, for: limits.idleTime) }.sorted { $0.2.use.last < $1.2.use.last }
        guard idle.reduce(0, { $0 + $1.2.bytes }) >= excess else { return false }
        for (place, key, list) in idle where excess > 0 {
            excess -= list.bytes
            _ = issuers[place].remove(key)
            changed.insert(place)
        }
        return true
    }

    /// The lists for readers of each issuer that has changed.
    mutating func takeRows() -> [(issuer: Int, rows: [ListTable.Row])] {
        defer { changed = [] }
        return changed.compactMap { place in issuers[place].takeRows().map { (place, $0) } }
    }

    /// The status of every address that is remembered.
    package func statuses(now: Duration) -> [StatusListStatus] {
        issuers.flatMap { issuer in
            let known = Array(issuer.lists.values) + issuer.failed.values
            return known.map { StatusListStatus($0, of: issuer.issuer.issuer, now: now) }.sorted { $0.uri < $1.uri }
        }
    }

    /// Bytes of all accepted lists.
    package var bytes: Int { issuers.reduce(0) { $0 + $1.lists.values.reduce(0) { $0 + $1.bytes } } }
}
