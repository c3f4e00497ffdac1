public import JWTCore
internal import Locks
internal import Synchronization

/// The keys of an issuer, fetched and kept fresh: a key source for a `TokenVerifier`.
///
/// Reading never waits, locks or allocates: a verification uses the current set, and a refresh replaces it. One background task makes the
/// fetches: never more than one at a time, and tokens cause at most two in any ten seconds. See ``RefreshPolicy`` for how long keys are
/// accepted.
///
/// A fetch of a URL is one request. A fetch of an issuer is at most four, one after the other: the keys at the address last known; if they
/// or an unknown key are not there, both addresses of the metadata, and the keys at the address named now. Failover sources are extra. All
/// of it together takes no longer than ``RefreshPolicy/attemptLimit``.
///
/// ```swift
/// let keys = RemoteKeySet(.issuer("https://idp.example"), transport: try GuardedClient())
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
    /// The time of the last read in nanoseconds, to the second: written only when the second changes.
    let usedAt = Atomic<Int64>(0)
    /// Whether there is a refresher. Written under the lock of `shared`.
    let isStarted = Atomic(false)

    /// The mutable state, protected by the lock.
    struct Shared {
        var core: KeySetCore
        var memory: SourceFetch.Memory = [:]
        var waiters = Waiters()
        var refresher: Refresher?
        var attempt: Task<Void, Never>?
        var watched = WatchedDocument()
    }

    /// The background task with its own sleep: a cancelled refresher cannot use up the wake-up of the next one.
    struct Refresher {
        let task: Task<Void, Never>
        let sleep: ShortenedSleep
    }

    /// When a key set is first fetched.
    public enum Loading: Sendable {
        /// Immediately.
        case eager
        /// When a token first needs it.
        case lazy
    }

    /// - Parameters:
    ///   - source: the source of the keys.
    ///   - failover: further sources for when it fails, in this order. Files and inline documents are used only while there are no keys at
    ///     all: they never replace fetched keys.
    ///   - policy: how long keys are accepted, and when they are fetched again.
    ///   - transport: fetches documents; `JWKSHTTP` has one.
    ///   - storage: keeps the last good set for the next process.
    ///   - loading: when to start.
    ///   - clock: measures the age of keys.
    ///   - seed: for the jitter; different for every instance.
    ///   - observer: receives every event, on no particular thread. It must return soon.
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
        reader = SourceReader(sources: [source] + failover, transport: transport)
        shared = Locked(Shared(core: KeySetCore(policy: policy, seed: seed, now: clock.elapsed)))
        restore()
        if loading == .eager { start() }
    }

    deinit {
        shared.withLock {
            $0.refresher?.task.cancel()
            $0.attempt?.cancel()
        }
    }

    // Reading

    @specialized(where Result == Void)
    public func withKeys<Result: ~Copyable>(
        _ body: (KeySet) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let now = clock.elapsedNanoseconds
        noteUse(now)
        // Stored keys serve before anything was fetched.
        if !isStarted.load(ordering: .relaxed) { start() }
        do {
            return try slot.withKeys(at: now, body)
        } catch {
            if error.code == .keysUnavailable { wanted() }
            throw error
        }
    }

    /// Counts the accepted sets. A token verified under one number may be refused under another: read the number before you verify, and
    /// store a verdict under that number. Nil while there are no keys.
    public var generation: UInt64? {
        let generation = slot.generation
        return slot.holds(at: clock.elapsedNanoseconds) ? generation : nil
    }

    /// Whether there are keys to verify with.
    public var isReady: Bool { slot.holds(at: clock.elapsedNanoseconds) }

    private func noteUse(_ now: Int64) {
        if now - usedAt.load(ordering: .relaxed) > 1_000_000_000 { usedAt.store(now, ordering: .relaxed) }
    }

    /// Orders before it starts: an `unload` between the two would leave the order without a refresher.
    private func wanted() {
        transact { shared, now in ((), shared.core.keysWanted(now: now)) }
        start()
    }
}

extension RemoteKeySet {
    /// The last read for a token, on the key set's clock.
    var lastUse: Duration { .nanoseconds(usedAt.load(ordering: .relaxed)) }

    /// Stops refreshing and drops the keys of an unused set; the next use starts it again. Its probe budget stays used.
    func unload() {
        transact { shared, _ in
            shared.refresher?.task.cancel()
            shared.refresher = nil
            isStarted.store(false, ordering: .relaxed)
            shared.core.unload()
            return ((), nil)
        }
    }

    /// Whether a fetch is in progress.
    var isFetching: Bool { shared.withLock { $0.core.state.flight != nil } }

    /// The bytes of the accepted document.
    var documentBytes: Int { shared.withLock { $0.core.document.count } }

    /// The complete current status.
    public var status: KeySetStatus {
        let now = clock.elapsed
        return shared.withLock { KeySetStatus(name, $0.core, waiters: $0.waiters.count, now: now) }
    }
}
