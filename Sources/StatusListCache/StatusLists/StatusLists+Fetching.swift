internal import JWKSCache
internal import JWTCore
internal import Locks

extension StatusLists {
    /// Asks under the lock, for a token whose list readers do not have.
    func ask(_ key: ListKey, index: Int) -> StatusVerdict {
        transact { shared, now in
            let (verdict, order) = shared.core.ask(key.issuer, key.uri, index: index, now: now)
            return (verdict, order.map { [$0] } ?? [])
        }
    }

    private func start() {
        shared.withLock { shared in
            guard shared.refresher == nil else { return }
            let sleep = ShortenedSleep()
            let task = Task { [weak self, clock] in
                while !Task.isCancelled, let deadline = self?.beat() { await sleep.sleep(until: deadline, clock) }
            }
            shared.refresher = Refresher(task: task, sleep: sleep)
        }
    }

    /// Makes sure that the refresher works when the next work is due. A new refresher begins to work immediately.
    func wakeRefresher() {
        let now = clock.elapsed
        let (sleep, next) = shared.withLock { ($0.refresher?.sleep, nextBeat($0, now)) }
        sleep?.wake(by: next)
    }

    /// Does the work that is due.
    ///
    /// - Returns: the time of the next call.
    private func beat() -> Duration {
        var overdue: [Waiters.Waiter] = []
        let next = transact { shared, now in
            let orders = shared.core.tick(now: now)
            for key in shared.waiters.keys { overdue += shared.waiters[key]?.removeDue(now) ?? [] }
            shelves.reclaim()
            // What is due cannot be done sooner than now.
            return (max(nextBeat(shared, now), now + .milliseconds(1)), orders)
        }
        for waiter in overdue { waiter.resume(false) }
        return next
    }

    private func nextBeat(_ shared: Shared, _ now: Duration) -> Duration {
        var next = shared.core.nextTick(now: now) ?? now + .seconds(3_600)
        for waiter in shared.waiters.values.compactMap(\.earliest) { next = min(next, waiter) }
        return shelves.hasRetired ? min(next, now + .seconds(1)) : next
    }

    private func perform(_ order: ListOrder) {
        let key = ListKey(issuer: order.issuer, uri: Array(order.uri.utf8))
        let task = Task {
            let result = await reader.read(order)
            finish(order, result)
        }
        shared.withLock { shared in
            // It may have ended before it was recorded here.
            guard shared.core.flight(key.issuer, key.uri) == order.fetch.sequence else { return task.cancel() }
            shared.attempts[key]?.task.cancel()
            shared.attempts[key] = Attempt(sequence: order.fetch.sequence, task: task)
        }
    }

    private func finish(_ order: ListOrder, _ result: ListResult) {
        transact { shared, now in
            shared.core.complete(order, result, now: now, date: clock.date)
            return ((), [])
        }
        wakeRefresher()
    }

    /// Changes the state and publishes what has changed under the lock. Resumes waiters and starts the ordered fetches outside it.
    func transact<Outcome>(_ body: (inout Shared, Duration) -> (Outcome, [ListOrder])) -> Outcome {
        let now = clock.elapsed
        var released: [Waiters.Waiter] = []
        let (outcome, orders) = shared.withLock { shared in
            let result = body(&shared, now)
            shelves.replace(shared.core.takeRows())
            released = shared.endAttempts()
            return result
        }
        for waiter in released { waiter.resume(true) }
        for order in orders { perform(order) }
        if !orders.isEmpty {
            start()
            // The refresher must wake in time to cancel these attempts.
            wakeRefresher()
        }
        return outcome
    }
}

extension StatusLists.Shared {
    /// Cancels attempts whose fetch has ended, and removes those who wait for one.
    fileprivate mutating func endAttempts() -> [Waiters.Waiter] {
        for (key, attempt) in attempts where core.flight(key.issuer, key.uri) != attempt.sequence {
            attempt.task.cancel()
            attempts[key] = nil
        }
        var released: [Waiters.Waiter] = []
        for key in waiters.keys where core.flight(key.issuer, key.uri) == nil {
            released += waiters[key]?.removeAll() ?? []
            waiters[key] = nil
        }
        return released
    }
}
