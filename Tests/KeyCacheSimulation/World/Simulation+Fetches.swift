import JWKSCache
import JWTCore

extension Simulation {
    /// Sends what was ordered.
    mutating func begin(_ order: FetchOrder) throws(Violation) {
        journal.note(now, "fetch", order.sequence, order.cause.rawValue)
        coverage.count("cause.\(order.cause.rawValue)")
        try schedule.ordered(order, now)
        if order.cause == .probe { try table.probed(now) }
        patience.began(order, now)
        let delivery = publisher.deliver(order, core.validators, now: now, date: date, &random)
        if let fault = delivery.fault { coverage.count("fault.\(fault.rawValue)") }
        let attempt = Attempt(order: order, delivery: delivery, keys: core.keys, belief: belief.number)
        if let latency = delivery.latency { queue.add(.answer(attempt), at: now + latency) }
    }

    /// An answer has come, in time or not.
    mutating func finish(_ attempt: Attempt) throws(Violation) {
        let order = attempt.order
        let isAwaited = core.state.flight == order
        let outcome = belief.take(attempt)
        journal.note(now, "answer", order.sequence, "\(outcome)", attempt.remark)
        let result = attempt.delivery.answer.result(of: order, conditional: attempt.delivery.isConditional, format, reusing: attempt.keys)
        var events: [RefreshEvent.Kind] = []
        core.complete(order, result, now: now, date: NumericDate(seconds: date), &events)
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
        table.confirmed(attempt.order, isNew: isNew, attemptLimit: core.policy.attemptLimit, now)
        evidence.applied(attempt)
        if let release = attempt.delivery.release { coverage.count("release.\(release.change.rawValue)") }
        try expect(core.state.failures == 0, 5, "failures are counted after a success")
        try schedule.confirmed(core.state, belief, now)
    }

    private mutating func noteFailure(_ attempt: Attempt, isHeld: Bool) throws(Violation) {
        var retryAfter: Duration?
        if case .nothing(let pause) = attempt.delivery.answer.meaning { retryAfter = pause }
        table.failed(retryAfter: retryAfter, now)
        removed.troubled(now)
        try schedule.failed(core.state, retryAfter: retryAfter, isHeld: isHeld, now)
    }

    mutating func request() throws(Violation) {
        var events: [RefreshEvent.Kind] = []
        if let order = core.requested(now: now, &events) { try begin(order) }
        queue.add(.request, at: now + random.duration(.seconds(60)...(.seconds(7_200))))
    }

    /// A set that an earlier process stored.
    mutating func restore() throws(Violation) {
        let release = publisher.history.releases[0]
        let age = random.duration(.zero...core.policy.lifetimeBounds.upperBound + core.policy.staleIfError - .seconds(1))
        let lifetime = core.policy.lifetimeBounds.upperBound
        let text = publisher.pool.document(release.keys, serial: character.habits.isBundle ? release.serial : nil, hint: nil)
        guard let document = try? KeyDocument(text, format, reusing: nil) else { throw Violation(5, "a good document is refused") }
        var events: [RefreshEvent.Kind] = []
        core.restore(document, age: age, lifetime: lifetime, now: now, &events)
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
