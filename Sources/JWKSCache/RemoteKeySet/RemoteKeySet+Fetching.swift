internal import JWTCore
internal import Locks
internal import Synchronization

extension RemoteKeySet {
    func start() {
        shared.withLock { shared in
            guard shared.refresher == nil else { return }
            isStarted.store(true, ordering: .relaxed)
            let sleep = ShortenedSleep()
            let task = Task { [weak self, clock] in
                while !Task.isCancelled, let deadline = self?.beat() { await sleep.sleep(until: deadline, clock) }
            }
            shared.refresher = Refresher(task: task, sleep: sleep)
        }
    }

    /// Makes sure that the refresher, if there is one, works by `deadline`. A new refresher begins to work immediately.
    func wakeRefresher(by deadline: Duration) { shared.withLock { $0.refresher?.sleep }?.wake(by: deadline) }

    /// Does the work that is due.
    ///
    /// - Returns: the time of the next call.
    func beat() -> Duration {
        noteWatchedFile()
        var overdue: [Waiters.Waiter] = []
        let next = transact { shared, now in
            // `unload` cancels the refresher under this lock. Afterwards the refresher must not order a fetch.
            guard !Task.isCancelled else { return (now, nil) }
            let due = shared.core.tick(now: now)
            let order = due ?? (shared.watched.hasChanged ? shared.core.requested(now: now) : nil)
            // A fetch in progress may have read the file before it changed.
            if order != nil { shared.watched.hasChanged = false }
            overdue = shared.waiters.removeDue(now)
            slot.reclaim()
            return (nextBeat(shared, now), order)
        }
        for waiter in overdue { waiter.resume(false) }
        return next
    }

    func nextBeat(_ shared: Shared, _ now: Duration) -> Duration {
        var next = shared.core.state.nextTick
        if let waiter = shared.waiters.earliest { next = min(next, waiter) }
        return watchesFile || slot.hasRetired ? min(next, now + .seconds(1)) : next
    }

    var watchesFile: Bool { reader.sources[0].path != nil }

    func noteWatchedFile() {
        guard let path = reader.sources[0].path else { return }
        let digest = WatchedDocument.digest(of: path)
        shared.withLock { $0.watched.note(digest) }
    }

    func perform(_ order: FetchOrder) {
        let attempt = Task {
            let (situation, known) = shared.withLock { ($0.core.situation(of: order), $0.memory) }
            var memory = known
            let result = await reader.read(situation, &memory)
            finish(order, result, memory)
        }
        shared.withLock { shared in
            // It may have ended before it was recorded here, and another one may be in progress.
            guard shared.core.state.flight == order else { return attempt.cancel() }
            shared.attempt?.cancel()
            shared.attempt = attempt
        }
    }

    /// Reads the set that an earlier process has stored.
    func restore() {
        guard let storage else { return }
        transact { shared, now in
            shared.core.restore(from: storage, of: reader.sources[0], now: now, date: clock.date)
            return ((), nil)
        }
    }

    private func record(_ core: KeySetCore, _ now: Duration) -> KeySetStorage.Record? {
        storage == nil ? nil : core.record(of: reader.sources[0], now: now, date: clock.date)
    }

    func finish(_ order: FetchOrder, _ result: FetchResult, _ memory: SourceFetch.Memory) {
        let record = transact { shared, now in
            // A cancelled attempt may have read older metadata than a later one.
            if shared.core.state.flight == order {
                shared.memory = memory
                shared.attempt = nil
            }
            let confirmedAt = shared.core.state.freshness?.confirmedAt
            shared.core.complete(order, result, now: now, date: clock.date)
            return (shared.core.state.freshness?.confirmedAt == confirmedAt ? nil : self.record(shared.core, now), nil)
        }
        // The replaced set may still have readers. Then the next beat frees it.
        wakeRefresher(by: shared.withLock { nextBeat($0, clock.elapsed) })
        if let storage, let record, !storage.write(record, now: clock.date.seconds) { emit(.storedSetRefused("it cannot be written")) }
    }

    /// Changes the state and publishes the new set under the lock. Calls the observer, resumes waiters and starts the ordered fetch outside
    /// it.
    @discardableResult
    func transact<Outcome>(_ body: (inout Shared, Duration) -> (Outcome, FetchOrder?)) -> Outcome {
        let now = clock.elapsed
        var events: [RefreshEvent.Kind] = []
        var released: [Waiters.Waiter] = []
        let (outcome, order) = shared.withLock { shared in
            let result = body(&shared, now)
            events = shared.core.takeEvents()
            let state = shared.core.state
            slot.replace(shared.core.keys, endsAt: state.freshness?.endsAt ?? .zero, generation: state.generation)
            if state.flight == nil {
                // A cancelled attempt sends no further request.
                shared.attempt?.cancel()
                shared.attempt = nil
                released = shared.waiters.removeAll()
            }
            return result
        }
        events.forEach(emit)
        for waiter in released { waiter.resume(true) }
        if let order {
            perform(order)
            // The refresher must wake in time to cancel this attempt.
            wakeRefresher(by: order.startedAt + policy.attemptLimit)
        }
        return outcome
    }

    func emit(_ kind: RefreshEvent.Kind) { observer?(RefreshEvent(source: name, kind: kind)) }
}
