package import JWKSCache
package import JWTCore
internal import Locks

/// Status lists of trusted issuers, which the host fetches. They decide with the same core as ``StatusLists`` what to fetch and when, and have
/// neither task nor thread: every step runs in a call of the host. So a fork leaves both processes with lists that work.
package final class HostedStatusLists: Sendable {
    package let host: any KeySetHost
    private let issuers: [StatusListIssuer]
    private let shelves: ListShelves
    private let shared: Locked<Shared>

    /// The state under the lock.
    private struct Shared {
        var core: ListsCore
        /// The fetches that are due and not handed out, the oldest first.
        var pending: [ListOrder] = []
        /// The fetches that the host makes, for a child that is forked meanwhile.
        var handedOut: [ListOrder] = []
        /// The issuers with a list that lacked keys, and the generation of the keys that it was judged by.
        var lacking: [Int: UInt64] = [:]

        /// Forgets work whose fetch has ended.
        mutating func forgetEnded() {
            if !pending.isEmpty { pending = pending.filter(isUnderWay) }
            if !handedOut.isEmpty { handedOut = handedOut.filter(isUnderWay) }
        }

        private func isUnderWay(_ order: ListOrder) -> Bool { core.flight(order.issuer, Array(order.uri.utf8)) == order.fetch.sequence }
    }

    /// - Parameters:
    ///   - issuers: the closed map. Of two with one name the first counts.
    ///   - policy: when lists are fetched, and what becomes of tokens without one.
    ///   - limits: upper limits of lists, bytes and fetches.
    ///   - host: makes the requests, and measures the time.
    ///   - seed: for the jitter; different for every instance.
    package init(
        _ issuers: [StatusListIssuer], policy: StatusListPolicy = .closedFirst, limits: StatusListLimits = StatusListLimits(),
        host: any KeySetHost, seed: UInt64 = .random(in: 0 ... .max)
    ) {
        self.host = host
        self.issuers = issuers
        shelves = ListShelves(issuers)
        shared = Locked(Shared(core: ListsCore(issuers, policy: policy, limits: limits, seed: seed)))
        ForkedLocks.add(shared, of: self)
    }

    deinit {
        ForkedLocks.remove(self)
        host.release()
    }

    private var elapsed: Duration { .nanoseconds(host.elapsedNanoseconds) }

    // Reading

    /// What the list says of the token with this reference. Never waits. Without a list it makes a fetch due, if the limits permit, and wakes
    /// the host.
    ///
    /// - Parameters:
    ///   - reference: of a verified token: `Claims.status`.
    ///   - issuer: `iss` of the same token.
    package func verdict(of reference: borrowing StatusReference, issuer: borrowing JSONString) -> StatusVerdict {
        verdict(index: reference.index, uri: reference.uri, issuer: issuer)
    }

    /// The same for copies of a verified token's `idx`, `uri` and `iss`.
    package func verdict(index: Int, uri: String, issuer: String) -> StatusVerdict {
        let uri = JSONString(uri.utf8.span, isEscaped: false)
        return verdict(index: index, uri: uri, issuer: JSONString(issuer.utf8.span, isEscaped: false))
    }

    private func verdict(index: Int, uri: JSONString, issuer: borrowing JSONString) -> StatusVerdict {
        let place = shelves.place(of: issuer)
        guard place >= 0 else { return StatusVerdict(.forbiddenList) }
        if let finding = shelves.finding(place, uri, index, at: host.elapsedNanoseconds) { return StatusVerdict(finding) }
        return ask(ListKey(issuer: place, uri: uri.utf8), index: index)
    }

    /// Asks under the lock, for a token whose list readers do not have.
    private func ask(_ key: ListKey, index: Int) -> StatusVerdict {
        let now = elapsed
        let (verdict, isOrdered) = shared.withLock { shared in
            retry(&shared, now)
            let (verdict, order) = shared.core.ask(key.issuer, key.uri, index: index, now: now)
            if let order { shared.pending.append(order) }
            publish(&shared)
            return (verdict, order != nil)
        }
        if isOrdered { host.wake() }
        return verdict
    }

    /// Whether the list that a token named is being fetched, or waits only for keys that verify it.
    package func mayCome(_ uri: String, of issuer: String) -> Bool {
        guard let place = shelves.place(of: issuer) else { return false }
        return shared.withLock { $0.core.mayCome(place, Array(uri.utf8)) }
    }

    // Driving

    /// The time until ``nextRequest()`` has work.
    package var nextDue: Duration {
        let now = elapsed
        return shared.withLock { shared in
            if !shared.pending.isEmpty || shared.lacking.contains(where: { hasOtherKeys($0.key, than: $0.value) }) { return .zero }
            let due = max(.zero, (shared.core.nextTick(now: now) ?? now + .seconds(3_600)) - now)
            return shelves.hasRetired ? min(due, .seconds(1)) : due
        }
    }

    /// The next request that is due, if any. Each is handed out once.
    package func nextRequest() -> HostedListRequest? {
        while let order = takeOrder() {
            // An origin permits bytes that not every client takes in a URL.
            if HostedURL.isAcceptable(order.uri) { return HostedListRequest(order: order, issuer: issuers[order.issuer].issuer) }
            _ = complete(order, .failed(.fetch(RequestFailure(.invalidURL)), retryAfter: nil), judgedBy: 0)
        }
        return nil
    }

    private func takeOrder() -> ListOrder? {
        let now = elapsed
        return shared.withLock { shared in
            retry(&shared, now)
            shared.pending += shared.core.tick(now: now)
            publish(&shared)
            guard !shared.pending.isEmpty else { return nil }
            let order = shared.pending.removeFirst()
            shared.handedOut.append(order)
            return order
        }
    }

    /// In a forked child: begins the fetches under way again. A request, or its response, may have been in the hands of a thread that only the
    /// parent has. A second answer to one fetch does nothing.
    package func beginAgain() {
        shared.withLock { shared in
            shared.forgetEnded()
            shared.pending = shared.handedOut + shared.pending
            shared.handedOut = []
        }
    }

    /// Processes what came of a request: a list that was installed or confirmed, none, or what came too late.
    package func receive(
        _ answer: Result<ReceivedResponse, RequestFailure>, to request: HostedListRequest
    ) -> HostedRequest.Outcome {
        let order = request.order, issuer = issuers[order.issuer], generation = issuer.keysGeneration()
        switch answer {
        case .failure(let failure): return complete(order, .failed(.fetch(failure), retryAfter: nil), judgedBy: generation)
        case .success(let response):
            // Verifying a list takes long, and needs no lock.
            let result =
                ListResult(response, withoutListTo: order)
                ?? ListResult(issuer.verifyNow(response.body, order.uri, host.date), in: response)
            return complete(order, result, judgedBy: generation)
        }
    }

    private func complete(_ order: ListOrder, _ result: ListResult, judgedBy generation: UInt64) -> HostedRequest.Outcome {
        let now = elapsed, date = host.date, uri = Array(order.uri.utf8)
        return shared.withLock { shared in
            guard !shared.core.isOver(order) else { return .ended }
            let isInProgress = shared.core.flight(order.issuer, uri) == order.fetch.sequence
            shared.core.complete(order, result, now: now, date: date)
            if case .failed(let failure, _) = result, failure.lacksKeys {
                shared.lacking[order.issuer] = min(shared.lacking[order.issuer] ?? generation, generation)
            }
            publish(&shared)
            if shared.core.isOver(order) { return .installed }
            return isInProgress ? .failed : .ended
        }
    }

    /// Lets lists that lacked keys be fetched again, where other keys have come.
    private func retry(_ shared: inout Shared, _ now: Duration) {
        for issuer in shared.lacking.filter({ hasOtherKeys($0.key, than: $0.value) }).keys {
            shared.lacking[issuer] = nil
            shared.core.keysCame(issuer, now: now)
        }
    }

    private func hasOtherKeys(_ issuer: Int, than generation: UInt64) -> Bool { issuers[issuer].keysGeneration() != generation }

    /// Gives readers the accepted lists, and forgets work whose fetch has ended.
    private func publish(_ shared: inout Shared) {
        shared.forgetEnded()
        shelves.replace(shared.core.takeRows())
        shelves.reclaim()
    }

    // Status

    /// The status of every list, and of every address from which none came.
    package var statuses: [StatusListStatus] {
        let now = elapsed
        return shared.withLock { $0.core.statuses(now: now) }
    }
}
