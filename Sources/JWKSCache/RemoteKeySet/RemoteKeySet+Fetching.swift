internal import JWTCore

extension RemoteKeySet {
    func start() {
        shared.withLock { shared in
            guard shared.refresher == nil else { return }
            shared.refresher = Task { [weak self, clock, wakeup] in
                while !Task.isCancelled, let deadline = self?.beat() { await wakeup.sleep(until: deadline, clock) }
            }
        }
    }

    /// Does what is due.
    ///
    /// - Returns: when to look again.
    func beat() -> Duration {
        let changed = watchedFileChanged()
        var overdue: [Waiters.Waiter] = []
        let next = transact { shared, now, events in
            // Cancelled under this lock: a refresher that has been let go orders nothing more.
            guard !Task.isCancelled else { return (now, nil) }
            let due = shared.core.tick(now: now, &events)
            let order = due ?? (changed ? shared.core.requested(now: now, &events) : nil)
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

    var watchesFile: Bool { if case .file = reader.sources[0].place { true } else { false } }

    /// By content: in a cluster a file is replaced through links and keeps its date.
    func watchedFileChanged() -> Bool {
        guard case .file(let path) = reader.sources[0].place else { return false }
        let digest = RegularFile.read(path, limit: KeySet.maximumBytes).map { Digest.sha256.bytes(of: $0.span) } ?? []
        return shared.withLock { shared in
            defer { shared.watchedFile = digest }
            return shared.watchedFile.map { $0 != digest } ?? false
        }
    }

    func perform(_ order: FetchOrder) {
        let attempt = Task {
            let (situation, known) = shared.withLock { shared in
                (
                    SourceReader.Situation(
                        order: order, keys: shared.core.keys, validators: shared.core.validators, now: order.startedAt),
                    shared.memory
                )
            }
            var memory = known
            let result = await reader.read(situation, &memory)
            finish(order, result, memory)
        }
        shared.withLock { shared in
            // An attempt that was given up may still hang in its transport.
            shared.attempt?.cancel()
            shared.attempt = attempt
        }
    }

    func finish(_ order: FetchOrder, _ result: FetchResult, _ memory: SourceReader.Memory) {
        let record = transact { shared, now, events in
            // What an attempt that was given up has read may be older than what is known.
            if shared.core.state.flight == order { shared.memory = memory }
            let confirmedAt = shared.core.state.freshness?.confirmedAt
            shared.core.complete(order, result, now: now, date: clock.date, &events)
            return (shared.core.state.freshness?.confirmedAt == confirmedAt ? nil : self.record(shared.core, now), nil)
        }
        // The set that was replaced may still be read, and then waits to be freed.
        wakeup.wake(by: shared.withLock { nextBeat($0, clock.elapsed) })
        if let storage, let record, !storage.write(record, now: clock.date.seconds) { emit(.storedSetRefused("it cannot be written")) }
    }

    /// Changes the state under the lock, shows readers what came of it, and then, outside, tells and does the rest.
    @discardableResult
    func transact<Outcome>(
        _ body: (inout Shared, Duration, inout [RefreshEvent.Kind]) -> (Outcome, FetchOrder?)
    ) -> Outcome {
        let now = clock.elapsed
        var events: [RefreshEvent.Kind] = []
        var released: [Waiters.Waiter] = []
        let (outcome, order) = shared.withLock { shared in
            let result = body(&shared, now, &events)
            let state = shared.core.state
            slot.replace(shared.core.keys, endsAt: state.freshness?.endsAt ?? .zero, generation: state.generation)
            if state.flight == nil { released = shared.waiters.removeAll() }
            return result
        }
        events.forEach(emit)
        for waiter in released { waiter.resume(true) }
        if let order {
            perform(order)
            // Who sleeps until the next refresh would give this one up no earlier.
            wakeup.wake(by: order.startedAt + policy.attemptLimit)
        }
        return outcome
    }

    func emit(_ kind: RefreshEvent.Kind) { observer?(RefreshEvent(source: name, kind: kind)) }
}
