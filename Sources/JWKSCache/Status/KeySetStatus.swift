public import JWTCore

/// The state and content of a remote key set at one moment. Durations count from that moment.
public struct KeySetStatus: Sendable {
    /// The name of its source: the issuer, the URL, the path.
    public let source: String
    /// Every key of the accepted set, unusable ones with their reason; empty without a set.
    public let keys: [VerificationKey]
    public let generation: UInt64
    /// The time since the start of the fetch that confirmed the set; nil without one.
    public let age: Duration?
    /// The remaining fresh time; negative when the set is stale and its source fails.
    public let freshFor: Duration?
    /// The remaining time that the set is accepted if its source fails.
    public let believedFor: Duration?
    /// When the next fetch is due.
    public let nextFetchIn: Duration
    public let isFetching: Bool
    /// Failed fetches since the last success.
    public let failures: Int
    /// Why the last of them failed; with several sources, the first one's failure.
    public let lastFailure: RefreshFailure?
    /// Probes refused by the budget, since the start.
    public let shedProbes: UInt64
    /// Key ids that are known to be missing or are being fetched.
    public let missingKeyIDs: Int
    /// Verifications that wait for the fetch in progress.
    public let waiters: Int
    /// How far the source's clock is ahead of this machine's.
    public let clockSkew: Duration?
    private let isFixed: Bool

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
        isFixed = false
    }

    /// Of keys that never change.
    package init(fixed set: KeySet) {
        source = "inline"
        keys = set.keys
        generation = 1
        (age, freshFor, believedFor) = (nil, nil, nil)
        nextFetchIn = .seconds(3_600)
        (isFetching, failures, lastFailure) = (false, 0, nil)
        (shedProbes, missingKeyIDs, waiters) = (0, 0, 0)
        clockSkew = nil
        isFixed = true
    }

    /// The health of the set.
    public var health: Health {
        if isFixed { return .fresh }
        guard let freshFor, let believedFor, believedFor > .zero else { return .unavailable }
        return freshFor > .zero ? .fresh : .stale
    }

    public enum Health: String, Sendable {
        /// The set is fresh.
        case fresh
        /// Its lifetime has ended; it is accepted because its source fails.
        case stale
        /// There are no keys.
        case unavailable
    }
}
