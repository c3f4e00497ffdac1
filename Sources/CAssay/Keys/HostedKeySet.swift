internal import JWKSCache
internal import JWTCore
internal import Locks

/// The keys of an issuer, which the host fetches. It decides with the same core as ``RemoteKeySet`` what to fetch and when, and has neither
/// task nor thread: every step runs in a call of the host. So a fork leaves both processes with keys that work.
final class HostedKeySet: KeySource {
    let policy: RefreshPolicy
    private let source: HostedSource
    private let host: Host
    private let slot = KeySetSlot()
    let shared: Locked<Shared>

    /// The state under the lock.
    struct Shared {
        var core: KeySetCore
        /// The issuer's metadata as last read.
        var metadata: IssuerFetch.Metadata?
        /// The request that is due and not handed out.
        var pending: HostedRequest?
    }

    init(_ source: HostedSource, policy: RefreshPolicy, host: Host, seed: UInt64) {
        self.source = source
        self.policy = policy
        self.host = host
        shared = Locked(Shared(core: KeySetCore(policy: policy, seed: seed, now: host.elapsed)))
        keepAcrossForks()
    }

    deinit {
        leaveForks()
        host.release()
    }

    // Reading

    func withKeys<Result: ~Copyable>(_ body: (KeySet) throws(VerificationError) -> Result) throws(VerificationError) -> Result {
        let now = host.elapsedNanoseconds
        guard slot.holds(at: now) else {
            transact { shared, now in shared.core.keysWanted(now: now) }
            throw .keysUnavailable
        }
        return try slot.withKeys(at: now, body)
    }

    func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError {
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
    var current: KeySet? { shared.withLock { $0.core.keys } }

    // Driving

    /// The time until ``nextRequest()`` has work.
    var nextDue: Duration {
        let now = host.elapsed
        return shared.withLock { shared in
            if shared.pending != nil { return .zero }
            let due = max(.zero, shared.core.state.nextTick - now)
            return slot.hasRetired ? min(due, .seconds(1)) : due
        }
    }

    /// Makes a fetch due that bypasses caches, unless one is under way.
    func refresh() { transact { shared, now in shared.core.requested(now: now) } }

    /// The request that is due, if any. It is handed out once.
    func nextRequest() -> HostedRequest? {
        let now = host.elapsed
        return shared.withLock { shared in
            if let order = shared.core.tick(now: now) { begin(order, &shared) }
            publish(&shared)
            defer { shared.pending = nil }
            return shared.pending
        }
    }

    /// Processes what came of a request, and returns how the fetch goes on.
    func receive(_ answer: Result<ReceivedResponse, RequestFailure>, to request: HostedRequest) -> HostedRequest.Outcome {
        // Reading a document takes long, and needs no lock.
        let step = request.step(after: answer)
        let now = host.elapsed
        return shared.withLock { shared in
            let isInProgress = shared.core.state.flight == request.order
            switch step {
            case .request(let next):
                guard isInProgress else { return .ended }
                shared.pending = next
                return .continues
            case .done(let result, let metadata):
                guard !shared.core.state.isOvertaken(request.order) else { return .ended }
                // A fetch that took too long may have read older metadata than a later one.
                if isInProgress { shared.metadata = metadata }
                shared.core.complete(request.order, result, now: now, date: host.date)
                publish(&shared)
                guard shared.core.state.appliedSequence != request.order.sequence else { return .installed }
                return isInProgress ? .failed : .ended
            }
        }
    }

    /// The state at this moment.
    func status<Outcome>(_ body: (KeySetCore, _ isPending: Bool, _ now: Duration) -> Outcome) -> Outcome {
        let now = host.elapsed
        return shared.withLock { body($0.core, $0.pending != nil, now) }
    }

    /// Runs an event that may order a fetch, and tells the host of the order outside the lock.
    private func transact(_ event: (inout Shared, Duration) -> FetchOrder?) {
        let now = host.elapsed
        let isOrdered = shared.withLock { shared in
            let order = event(&shared, now)
            if let order { begin(order, &shared) }
            publish(&shared)
            return order != nil
        }
        if isOrdered { host.wake() }
    }

    private func begin(_ order: FetchOrder, _ shared: inout Shared) {
        shared.pending = HostedRequest(source, shared.core.situation(of: order), metadata: shared.metadata)
    }

    /// Gives readers the accepted set, and forgets a request whose fetch has ended.
    private func publish(_ shared: inout Shared) {
        let state = shared.core.state
        if let pending = shared.pending, state.flight != pending.order { shared.pending = nil }
        slot.replace(shared.core.keys, endsAt: state.freshness?.endsAt ?? .zero, generation: state.generation)
        slot.reclaim()
        _ = shared.core.takeEvents()
    }
}
