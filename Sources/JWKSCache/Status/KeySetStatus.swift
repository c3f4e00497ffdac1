public import JWTCore

/// What a remote key set is doing and what it holds, at one moment. Lengths of time count from that moment.
public struct KeySetStatus: Sendable {
    /// The name of its source: the issuer, the URL, the path.
    public let source: String
    /// Every key of the set that is believed, the unusable ones with their reason; empty without one.
    public let keys: [VerificationKey]
    public let generation: UInt64
    /// How long ago the fetch began that confirmed the set; nil without one.
    public let age: Duration?
    /// How long it is still fresh; below zero when it is stale and its source fails.
    public let freshFor: Duration?
    /// How long it is still believed, come what may.
    public let believedFor: Duration?
    /// When the next fetch is due.
    public let nextFetchIn: Duration
    public let isFetching: Bool
    /// Failures since the last success, and the last one's reason.
    public let failures: Int
    public let lastFailure: RefreshFailure?
    /// Probes that were not permitted, since the start.
    public let shedProbes: UInt64
    /// Key ids that are known to be missing or being asked for.
    public let missingKeyIDs: Int
    /// Verifications that wait for the fetch under way.
    public let waiters: Int
    /// How far the source's clock is ahead of this machine's.
    public let clockSkew: Duration?

    init(_ name: String, _ core: KeySetCore, waiters: Int, now: Duration) {
        let state = core.state
        source = name
        keys = core.keys?.keys ?? []
        generation = state.generation
        age = state.freshness.map { now - $0.confirmedAt }
        freshFor = state.freshness.map { $0.expiresAt - now }
        believedFor = state.freshness.map { $0.endsAt - now }
        nextFetchIn = max(.zero, state.nextDue - now)
        isFetching = state.flight != nil
        failures = state.failures
        lastFailure = core.lastFailure
        shedProbes = state.probes.shed
        missingKeyIDs = state.probes.remembered
        self.waiters = waiters
        clockSkew = core.skew.estimate
    }

    /// What it is worth, in a word.
    public var health: Health {
        guard let freshFor, let believedFor, believedFor > .zero else { return .unavailable }
        return freshFor > .zero ? .fresh : .stale
    }

    public enum Health: String, Sendable {
        /// The set is fresh.
        case fresh
        /// It is past its lifetime and believed because its source fails.
        case stale
        /// There are no keys.
        case unavailable
    }
}
