public import JWTCore
internal import Synchronization

/// The keys of an issuer, fetched and kept fresh: what a ``TokenVerifier`` takes them from.
///
/// Reading never waits, locks or allocates: a verification reads the set of its moment, and a refresh puts another in its place.
/// Fetches are made by one background task, whatever happens at most one at a time, and at most two in any ten seconds because of
/// tokens. See ``RefreshPolicy`` for what is believed for how long.
///
/// ```swift
/// let keys = RemoteKeySet(.issuer("https://idp.example"), transport: HTTPTransport())
/// let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
/// ```
public final class RemoteKeySet: KeySource {
    /// The name of its first source: the issuer, the URL, the path.
    public let name: String
    public let policy: RefreshPolicy
    private let slot = KeySetSlot()
    private let shared: Locked<Shared>
    private let reader: SourceReader
    private let storage: KeySetStorage?
    private let clock: any ElapsedClock
    private let observer: (@Sendable (RefreshEvent) -> Void)?
    private let wakeup = Wakeup()
    /// When it was last read, in nanoseconds, to the second: written only when it has changed by one.
    private let usedAt = Atomic<Int64>(0)

    private struct Shared {
        var core: KeySetCore
        var memory = SourceReader.Memory()
        var waiters = Waiters()
        var refresher: Task<Void, Never>?
        var attempt: Task<Void, Never>?
        var watchedFile: [UInt8]?
    }

    /// When a key set is first fetched.
    public enum Loading: Sendable {
        /// Now.
        case eager
        /// When a token first wants it.
        case lazy
    }

    /// - Parameters:
    ///   - source: where the keys come from.
    ///   - failover: where else to look when that fails, in this order. Files and inline documents only help out while there are no
    ///     keys at all: they never replace what was fetched.
    ///   - transport: how documents are reached; ``JWKSHTTP`` has one.
    ///   - storage: where the last good set outlives the process.
    ///   - loading: when to begin.
    ///   - seed: of the jitter; another one for every instance.
    ///   - observer: is told every transition, on no particular thread. It must return soon.
    public init(
        _ source: KeySetSource, failover: [KeySetSource] = [], policy: RefreshPolicy = .availabilityFirst,
        transport: any DocumentTransport, storage: KeySetStorage? = nil, loading: Loading = .eager,
        clock: any ElapsedClock = SystemElapsedClock(), seed: UInt64 = .random(in: 0 ... .max),
        observer: (@Sendable (RefreshEvent) -> Void)? = nil
    ) {
        name = source.name
        self.policy = policy
        self.storage = storage
        self.clock = clock
        self.observer = observer
        reader = SourceReader(sources: [source] + failover, transport: transport, emptyIsMeant: policy.emptySet == .revokesAll)
        shared = Locked(Shared(core: KeySetCore(policy: policy, seed: seed, now: clock.elapsed)))
        restore()
        if loading == .eager { start() }
    }

    deinit {
        shared.withLock {
            $0.refresher?.cancel()
            $0.attempt?.cancel()
        }
    }

    // Reading

    public func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let now = clock.elapsedNanoseconds
        noteUse(now)
        guard slot.holds(at: now) else {
            wanted()
            throw .keysUnavailable
        }
        return try slot.withKeys(at: now, body)
    }

    /// The answer of clarity to a token whose key id is not in the set: see "Unknown key ids" in the documentation.
    public func refusal(ofUnknown keyID: KeyIDHash, in keys: KeySet) -> VerificationError {
        transact { shared, now, events in
            guard shared.core.keys === keys else { return (.keysUnavailable, nil) }
            let (answer, order) = shared.core.keyMissing(keyID, now: now, &events)
            return (VerificationError(answer == .unknownKey ? .unknownKey : .keysUnavailable), order)
        }
    }

    /// Counts the sets that have been believed. What was verified under one number may be refused under another: a verdict that is kept
    /// belongs to the number read before it was reached. Nil while there are no keys.
    public var generation: UInt64? {
        let generation = slot.generation
        return slot.holds(at: clock.elapsedNanoseconds) ? generation : nil
    }

    /// Whether there are keys to verify with.
    public var isReady: Bool { slot.holds(at: clock.elapsedNanoseconds) }

    private func noteUse(_ now: Int64) {
        if now - usedAt.load(ordering: .relaxed) > 1_000_000_000 { usedAt.store(now, ordering: .relaxed) }
    }

    private func wanted() {
        start()
        transact { shared, now, events in ((), shared.core.keysWanted(now: now, &events)) }
    }

    // Asking and waiting

    /// Fetches, or joins the fetch under way, and waits for its end.
    ///
    /// - Returns: whether there are keys now that were confirmed by it.
    @discardableResult
    public func refresh() async -> Bool {
        let before = transact { shared, now, events in
            (shared.core.state.appliedSequence, shared.core.requested(now: now, &events))
        }
        start()
        _ = await settled(within: policy.attemptLimit)
        return shared.withLock { $0.core.state.appliedSequence > before }
    }

    /// Orders a fetch past every cache, unless one is under way. Returns at once.
    public func requestRefresh() {
        transact { shared, now, events in ((), shared.core.requested(now: now, &events)) }
        start()
    }

    /// Fetches for the first time, unless that has been done, and waits for the end of the attempt.
    public func firstAttempt() async {
        transact { shared, now, events in ((), shared.core.tick(now: now, &events)) }
        start()
        _ = await settled(within: policy.attemptLimit)
    }

    /// Waits until there are keys, or the time is over.
    public func ready(within limit: Duration) async -> Bool {
        start()
        let deadline = clock.elapsed + limit
        while !isReady, !Task.isCancelled, clock.elapsed < deadline {
            if shared.withLock({ $0.core.state.flight != nil }) {
                _ = await settled(within: deadline - clock.elapsed)
            } else {
                await clock.sleep(until: min(deadline, shared.withLock { $0.core.state.nextDue }))
                await Task.yield()
            }
        }
        return isReady
    }

    /// Runs `body`, and as long as it throws `keys_unavailable` again after each fetch that ends within the policy's wait budget. A token
    /// causes no more fetches than ``RefreshPolicy/probeLimit`` permits, so this ends.
    ///
    /// - Throws: what `body` throws.
    public func retrying<Result>(_ body: () throws(VerificationError) -> Result) async throws(VerificationError) -> Result {
        let deadline = clock.elapsed + policy.waitBudget.duration
        var looksAgain = true
        while true {
            do throws(VerificationError) {
                return try body()
            } catch {
                guard error.code == .keysUnavailable else { throw error }
                if await settled(within: deadline - clock.elapsed) { continue }
                // What it was to wait for may have ended since it looked.
                guard looksAgain, clock.elapsed < deadline, !Task.isCancelled, !isFetching else { throw error }
                looksAgain = false
            }
        }
    }

    /// Waits for the end of the fetch under way, at most for `budget`.
    ///
    /// - Returns: whether it has ended, so that it is worth looking again. False at once where none is under way or too many wait.
    func settled(within budget: Duration) async -> Bool {
        guard budget > .zero else { return false }
        let number = shared.withLock { $0.waiters.reserve() }, deadline = clock.elapsed + budget
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(number, $0, until: deadline) }
        } onCancel: {
            giveUp(number)
        }
    }

    private func wait(_ number: UInt64, _ continuation: CheckedContinuation<Bool, Never>, until deadline: Duration) {
        let isWaiting = shared.withLock { shared in
            guard shared.core.state.flight != nil, shared.waiters.count < policy.waiterLimit, !Task.isCancelled else { return false }
            shared.waiters.add(number, continuation, until: deadline)
            return true
        }
        guard isWaiting else { return continuation.resume(returning: false) }
        // The refresher gives it up.
        wakeup.wake(by: deadline)
    }

    private func giveUp(_ number: UInt64) { shared.withLock { $0.waiters.remove(number) }?.resume(false) }

    // Fetching

    private func start() {
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
    private func beat() -> Duration {
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

    private func nextBeat(_ shared: Shared, _ now: Duration) -> Duration {
        var next = shared.core.state.nextTick
        if let waiter = shared.waiters.earliest { next = min(next, waiter) }
        return watchesFile || slot.hasRetired ? min(next, now + .seconds(1)) : next
    }

    private var watchesFile: Bool { if case .file = reader.sources[0].place { true } else { false } }

    /// By content: in a cluster a file is replaced through links and keeps its date.
    private func watchedFileChanged() -> Bool {
        guard case .file(let path) = reader.sources[0].place else { return false }
        let digest = RegularFile.read(path, limit: KeySet.maximumBytes).map { Digest.sha256.bytes(of: $0.span) } ?? []
        return shared.withLock { shared in
            defer { shared.watchedFile = digest }
            return shared.watchedFile.map { $0 != digest } ?? false
        }
    }

    private func perform(_ order: FetchOrder) {
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

    private func finish(_ order: FetchOrder, _ result: FetchResult, _ memory: SourceReader.Memory) {
        let record = transact { shared, now, events in
            // What an attempt that was given up has read may be older than what is known.
            if shared.core.state.flight == order { shared.memory = memory }
            let confirmedAt = shared.core.state.freshness?.confirmedAt
            shared.core.complete(order, result, now: now, date: clock.date, &events)
            return (shared.core.state.freshness?.confirmedAt == confirmedAt ? nil : self.record(shared.core, now), nil)
        }
        wakeup.wake(by: shared.withLock { $0.core.state.nextTick })
        if let storage, let record, !storage.write(record, now: clock.date.seconds) { emit(.storedSetRefused("it cannot be written")) }
    }

    /// Changes the state under the lock, shows readers what came of it, and then, outside, tells and does the rest.
    @discardableResult
    private func transact<Outcome>(
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

    private func emit(_ kind: RefreshEvent.Kind) { observer?(RefreshEvent(source: name, kind: kind)) }

    // What outlives the process

    private func record(_ core: KeySetCore, _ now: Duration) -> KeySetStorage.Record? {
        guard storage != nil, let freshness = core.state.freshness else { return nil }
        let age = now - freshness.confirmedAt, lifetime = freshness.expiresAt - freshness.confirmedAt
        return KeySetStorage.Record(
            source: name, fetchedAt: clock.date.seconds - age.components.seconds, lifetime: lifetime.components.seconds,
            document: core.document)
    }

    private func restore() {
        switch storage?.read(source: name) {
        case .record(let record):
            guard let document = try? KeyDocument(record.document, reader.sources[0].format, reusing: nil) else {
                return emit(.storedSetRefused("its document is no key set"))
            }
            // What was stored may be any number.
            let age = Duration.seconds(clock.date.seconds) - .seconds(record.fetchedAt)
            transact { shared, now, events in
                shared.core.restore(document, age: age, lifetime: .seconds(record.lifetime), now: now, &events)
                return ((), nil)
            }
        case .refused(let reason): emit(.storedSetRefused(reason))
        case .nothing, nil: return
        }
    }
}

extension RemoteKeySet {
    /// When a token last read it, on the key set's clock.
    var lastUse: Duration { .nanoseconds(usedAt.load(ordering: .relaxed)) }

    /// Stops refreshing and drops the keys of a set that nobody has used; the next use starts it again. What its tokens have spent of
    /// the probe budget stays spent.
    func unload() {
        transact { shared, _, _ in
            shared.refresher?.cancel()
            shared.refresher = nil
            shared.attempt?.cancel()
            shared.core.unload()
            return ((), nil)
        }
    }

    /// Whether a fetch is under way.
    var isFetching: Bool { shared.withLock { $0.core.state.flight != nil } }

    /// The bytes of the document that is believed.
    var documentBytes: Int { shared.withLock { $0.core.document.count } }

    /// A look at everything that can be known of it.
    public var status: KeySetStatus {
        let now = clock.elapsed
        return shared.withLock { KeySetStatus(name, $0.core, waiters: $0.waiters.count, now: now) }
    }
}
