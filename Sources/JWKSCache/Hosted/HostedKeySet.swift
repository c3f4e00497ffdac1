package import JWTCore
internal import Locks
internal import Synchronization

/// The keys of an issuer, which the host fetches. It decides with the same core as ``RemoteKeySet`` what to fetch and when, and has neither
/// task nor thread: every step runs in a call of the host. So a fork leaves both processes with keys that work.
package final class HostedKeySet: KeySource {
    package let policy: RefreshPolicy
    package let host: any KeySetHost
    private let sources: [KeySetSource]
    private let storage: KeySetStorage?
    private let slot = KeySetSlot()
    private let shared: Locked<Shared>
    /// Whether fetches may become due: lazy keys wait for the first token. Written under the lock of `shared`.
    private let isStarted: Atomic<Bool>

    /// The state under the lock.
    private struct Shared {
        var core: KeySetCore
        var memory: SourceFetch.Memory = [:]
        /// The work that is due and not handed out.
        var pending: Pending?
        var watched = WatchedDocument()
    }

    /// Work of a fetch.
    private enum Pending {
        case begin(FetchSituation)
        case request(HostedRequest)

        var order: FetchOrder {
            switch self {
            case .begin(let situation): situation.order
            case .request(let request): request.order
            }
        }
    }

    /// - Parameters:
    ///   - sources: the source of the keys and its failovers. A file is read by the call of ``nextRequest()``.
    ///   - policy: how long keys are accepted, and when they are fetched again.
    ///   - storage: keeps the last good set for the next process.
    ///   - loading: when to start.
    ///   - host: makes the requests, and measures the time.
    ///   - seed: for the jitter; different for every instance.
    package init(
        _ sources: [KeySetSource], policy: RefreshPolicy, storage: KeySetStorage? = nil,
        loading: RemoteKeySet.Loading = .eager, host: any KeySetHost, seed: UInt64 = .random(in: 0 ... .max)
    ) {
        self.sources = sources
        self.policy = policy
        self.storage = storage
        self.host = host
        var core = KeySetCore(policy: policy, seed: seed, now: .nanoseconds(host.elapsedNanoseconds))
        if let storage { core.restore(from: storage, of: sources[0], now: .nanoseconds(host.elapsedNanoseconds), date: host.date) }
        shared = Locked(Shared(core: core))
        isStarted = Atomic(loading == .eager)
        shared.withLock { publish(&$0) }
        ForkedLocks.add(shared, of: self)
    }

    deinit {
        ForkedLocks.remove(self)
        host.release()
    }

    private var elapsed: Duration { .nanoseconds(host.elapsedNanoseconds) }

    // Reading

    @specialized(where Result == Void)
    package func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let now = host.elapsedNanoseconds
        guard slot.holds(at: now) else {
            transact { shared, now in shared.core.keysWanted(now: now) }
            throw .keysUnavailable
        }
        // Stored keys serve before anything was fetched.
        if !isStarted.load(ordering: .relaxed) { start() }
        return try slot.withKeys(at: now, body)
    }

    /// Begins to load keys that wait for the first token.
    package func load() { if !isStarted.load(ordering: .relaxed) { start() } }

    private func start() {
        shared.withLock { _ in isStarted.store(true, ordering: .relaxed) }
        host.wake()
    }

    package func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError {
        var answer = UnknownKeyAnswer.keysUnavailable
        transact { shared, now in
            guard shared.core.keys === keys else { return nil }
            let (found, order) = shared.core.keyMissing(keyID, now: now)
            answer = found
            return order
        }
        return VerificationError(answer == .unknownKey ? .unknownKey : .keysUnavailable)
    }

    /// The accepted set, retained.
    package var current: KeySet? { shared.withLock { $0.core.keys } }

    /// Changes whenever another set is accepted.
    package var generation: UInt64 { slot.generation }

    /// Whether there are keys to verify with.
    package var isReady: Bool { slot.holds(at: host.elapsedNanoseconds) }

    // Driving

    /// The time until ``nextRequest()`` has work.
    package var nextDue: Duration {
        let now = elapsed
        return shared.withLock { shared in
            if shared.pending != nil { return .zero }
            guard isStarted.load(ordering: .relaxed) else { return .seconds(3_600) }
            let due = max(.zero, shared.core.state.nextTick - now)
            return slot.hasRetired || watchedPath != nil ? min(due, .seconds(1)) : due
        }
    }

    /// Makes a fetch due that bypasses caches, unless one is under way.
    package func refresh() { transact { shared, now in shared.core.requested(now: now) } }

    /// In a forked child: begins the fetch under way again, from its first request. Its request, or the response, may have been in the hands of
    /// a thread that only the parent has. A second answer to one fetch does nothing.
    package func beginAgain() {
        shared.withLock { shared in
            if let order = shared.core.state.flight { begin(order, &shared) }
        }
    }

    /// The request that is due, if any. It is handed out once. Documents on this machine are read here.
    package func nextRequest() -> HostedRequest? {
        noteWatchedFile()
        let now = elapsed
        let (pending, memory) = shared.withLock { shared -> (Pending?, SourceFetch.Memory) in
            guard isStarted.load(ordering: .relaxed) else { return (nil, [:]) }
            let order = shared.core.tick(now: now) ?? (shared.watched.hasChanged ? shared.core.requested(now: now) : nil)
            if let order {
                shared.watched.hasChanged = false
                begin(order, &shared)
            }
            publish(&shared)
            defer { shared.pending = nil }
            return (shared.pending, shared.memory)
        }
        switch pending {
        case nil: return nil
        case .request(let request): return request
        case .begin(let situation):
            switch HostedStep(beginning: SourceFetch(sources, situation, memory)) {
            case .request(let request): return request
            case .done(let result, let memory):
                _ = complete(situation.order, result, memory)
                return nil
            }
        }
    }

    /// Processes what came of a request, and returns how the fetch goes on.
    package func receive(_ answer: Result<ReceivedResponse, RequestFailure>, to request: HostedRequest) -> HostedRequest.Outcome {
        // Reading a document takes long, and needs no lock.
        switch HostedStep(after: answer, to: request) {
        case .done(let result, let memory): complete(request.order, result, memory)
        case .request(let next):
            shared.withLock { shared in
                guard shared.core.state.flight == request.order else { return .ended }
                shared.pending = .request(next)
                return .continues
            }
        }
    }

    private func complete(_ order: FetchOrder, _ result: FetchResult, _ memory: SourceFetch.Memory) -> HostedRequest.Outcome {
        let now = elapsed
        let (outcome, record) = shared.withLock { shared -> (HostedRequest.Outcome, KeySetStorage.Record?) in
            guard !shared.core.state.isOvertaken(order) else { return (.ended, nil) }
            let isInProgress = shared.core.state.flight == order
            // A fetch that took too long may have read older metadata than a later one.
            if isInProgress { shared.memory = memory }
            shared.core.complete(order, result, now: now, date: host.date)
            publish(&shared)
            guard shared.core.state.appliedSequence != order.sequence else {
                return (.installed, storage == nil ? nil : shared.core.record(of: sources[0], now: now, date: host.date))
            }
            return (isInProgress ? .failed : .ended, nil)
        }
        if let storage, let record { _ = storage.write(record, now: host.date.seconds) }
        return outcome
    }

    /// The state at this moment.
    package func status<Outcome>(_ body: (KeySetCore, _ isPending: Bool, _ now: Duration) -> Outcome) -> Outcome {
        let now = elapsed
        return shared.withLock { body($0.core, $0.pending != nil, now) }
    }

    /// The same as ``RemoteKeySet/status``.
    package var status: KeySetStatus { status { core, _, now in KeySetStatus(sources[0].name, core, waiters: 0, now: now) } }

    /// Runs an event that may order a fetch, and tells the host of the order outside the lock.
    private func transact(_ event: (inout Shared, Duration) -> FetchOrder?) {
        let now = elapsed
        let isOrdered = shared.withLock { shared in
            isStarted.store(true, ordering: .relaxed)
            let order = event(&shared, now)
            if let order { begin(order, &shared) }
            publish(&shared)
            return order != nil
        }
        if isOrdered { host.wake() }
    }

    private func begin(_ order: FetchOrder, _ shared: inout Shared) { shared.pending = .begin(shared.core.situation(of: order)) }

    /// Gives readers the accepted set, and forgets work whose fetch has ended.
    private func publish(_ shared: inout Shared) {
        let state = shared.core.state
        if let pending = shared.pending, state.flight != pending.order { shared.pending = nil }
        slot.replace(shared.core.keys, endsAt: state.freshness?.endsAt ?? .zero, generation: state.generation)
        slot.reclaim()
        _ = shared.core.takeEvents()
    }

    // A file

    private var watchedPath: String? { sources[0].path }

    private func noteWatchedFile() {
        guard let path = watchedPath else { return }
        let now = elapsed
        guard shared.withLock({ $0.watched.isDue(now) }) else { return }
        let digest = WatchedDocument.digest(of: path)
        shared.withLock { $0.watched.note(digest) }
    }
}
