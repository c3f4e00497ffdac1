public import JWTCore
internal import Synchronization

/// The keys of an issuer, fetched and kept fresh: what a ``TokenVerifier`` takes them from.
///
/// Reading never waits, locks or allocates: a verification reads the set of its moment, and a refresh puts another in its place.
/// Fetches are made by one background task, whatever happens at most one at a time, and at most two in any ten seconds because of
/// tokens. See ``RefreshPolicy`` for what is believed for how long.
///
/// ```swift
/// let keys = RemoteKeySet(.issuer("https://idp.example"), transport: try HTTPTransport())
/// let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
/// ```
public final class RemoteKeySet: KeySource {
    /// The name of its first source: the issuer, the URL, the path.
    public let name: String
    public let policy: RefreshPolicy
    let slot = KeySetSlot()
    let shared: Locked<Shared>
    let reader: SourceReader
    let storage: KeySetStorage?
    let clock: any ElapsedClock
    let observer: (@Sendable (RefreshEvent) -> Void)?
    let wakeup = Wakeup()
    /// When it was last read, in nanoseconds, to the second: written only when it has changed by one.
    let usedAt = Atomic<Int64>(0)

    /// What changes, behind the lock.
    struct Shared {
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

    /// What a token is told whose key id is not in the set: see "Unknown key ids" in the documentation.
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
