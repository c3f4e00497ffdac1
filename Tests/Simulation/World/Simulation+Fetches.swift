import JWKSCache
import JWTCore

extension Simulation {
    /// Sends the ordered requests.
    mutating func begin(_ order: FetchOrder) throws(Violation) {
        journal.note(now, "fetch", order.sequence, order.cause.rawValue)
        coverage.count("cause.\(order.cause.rawValue)")
        try schedule.ordered(order, now)
        if order.cause == .probe { try table.probed(now) }
        patience.began(order, now)
        let attempt = publisher.habits.hasMetadata ? try discover(order) : fetch(order)
        if let fault = attempt.delivery.fault { coverage.count("fault.\(fault.rawValue)") }
        if let latency = attempt.delivery.latency { queue.add(.answer(attempt), at: now + latency) }
    }

    private mutating func fetch(_ order: FetchOrder) -> Attempt {
        let situation = core.situation(of: order), url = "\(KeyAddresses.issuer)/keys"
        let origin = FetchResult.Origin(sourceIndex: 0, format: format, url: url)
        let request = situation.request(for: url, origin)
        let delivery = publisher.deliver(request, at: now)
        let result = delivery.latency.map { _ in situation.result(of: delivery.answer.response, to: request, origin) }
        return Attempt(order: order, delivery: delivery, result: result, keys: core.keys, belief: belief.number)
    }

    /// Sends the requests of an issuer's fetch, one after the other.
    private mutating func discover(_ order: FetchOrder) throws(Violation) -> Attempt {
        var fetch = IssuerFetch(issuer: KeyAddresses.issuer, sourceIndex: 0, core.situation(of: order), metadata: metadata)
        var walk = Walk()
        var step = fetch.begin()
        while case .request(let request) = step {
            let moment = now + (walk.latency ?? .zero)
            if let move = publisher.addresses.departure(from: request.url, by: moment) { coverage.count("moved.\(move.left.rawValue)") }
            let delivery = publisher.deliver(request, at: moment)
            walk.add(request.url, delivery)
            guard delivery.latency != nil else { break }
            step = fetch.receive(delivery.answer.response)
        }
        try moved.check(walk, order, publisher.addresses, keys: belief.keys)
        coverage.count(walk.course)
        let result: FetchResult? = if case .done(let result) = step { result } else { nil }
        return Attempt(
            order: order, delivery: walk.outcome(core.policy), result: result, keys: core.keys, belief: belief.number,
            metadata: fetch.metadata, isTroubled: walk.isTroubled)
    }

    /// Handles a response, in time or late.
    mutating func finish(_ attempt: Attempt) throws(Violation) {
        guard let result = attempt.result else { return }
        let order = attempt.order
        let isAwaited = core.state.flight == order
        let outcome = belief.take(attempt)
        journal.note(now, "answer", order.sequence, "\(outcome)", attempt.remark)
        if isAwaited { metadata = attempt.metadata }
        if attempt.isTroubled { removed.troubled(now) }
        core.complete(order, result, now: now, date: NumericDate(seconds: now.date))
        schedule.ended(order)
        if isAwaited { patience.ended(now) }
        coverage.count(isAwaited ? "answer.\(outcome)" : "late.\(outcome)")
        try expect(isAwaited == false || core.state.flight == nil, 7, "#\(order.sequence) is still under way after its answer")
        switch outcome {
        case .installed, .confirmed: try noteSuccess(attempt, isNew: outcome == .installed)
        case .refused, .held, .overtaken: if isAwaited { try noteFailure(attempt, isHeld: outcome == .held) }
        }
        try agreement.check(core, belief, lent: attempt.keys, now)
    }

    private mutating func noteSuccess(_ attempt: Attempt, isNew: Bool) throws(Violation) {
        let names = belief.keys?.map(\.name) ?? []
        table.confirmed(attempt.order, isNew: isNew, names: names, attemptLimit: core.policy.attemptLimit, now)
        evidence.applied(attempt)
        if let release = attempt.delivery.release { coverage.count("release.\(release.change.rawValue)") }
        try expect(core.state.failures == 0, 5, "failures are counted after a success")
        try schedule.confirmed(core.state, belief, now)
    }

    private mutating func noteFailure(_ attempt: Attempt, isHeld: Bool) throws(Violation) {
        let retryAfter = attempt.delivery.answer.retryAfter
        table.failed(attempt.order, retryAfter: retryAfter, now)
        removed.troubled(now)
        try schedule.failed(core.state, retryAfter: retryAfter, isHeld: isHeld, now)
    }

    mutating func request() throws(Violation) {
        if let order = core.requested(now: now) { try begin(order) }
        queue.add(.request, at: now + random.duration(.seconds(60)...(.seconds(7_200))))
    }

    /// Restores a set stored by an earlier process.
    mutating func restore() throws(Violation) {
        let release = publisher.history.releases[0]
        let age = random.duration(.zero...core.policy.lifetimeBounds.upperBound + core.policy.staleIfError - .seconds(1))
        let lifetime = core.policy.lifetimeBounds.upperBound
        let text = publisher.pool.document(release.keys, serial: character.habits.isBundle ? release.serial : nil, hint: nil)
        guard let document = try? KeyDocument(text, format, reusing: nil) else { throw Violation(5, "a good document is refused") }
        core.restore(document, age: age, lifetime: lifetime, now: now)
        belief.restore(release, age: age, lifetime: lifetime, isBundle: character.habits.isBundle)
        coverage.count("set.restored")
        journal.note(now, "restored", nil, age.clock)
    }
}

extension Attempt {
    /// For the journal.
    fileprivate var remark: String {
        if let fault = delivery.fault { return fault.rawValue }
        let kind = if case .same = delivery.answer.meaning { "304" } else { "200" }
        let names = delivery.release?.keys.map(\.name).joined(separator: ",") ?? ""
        return "\(kind) \(names) (release \(delivery.release?.serial ?? 0))"
    }
}
