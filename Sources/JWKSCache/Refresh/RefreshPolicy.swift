/// When a key set is fetched again, how long it is believed, and what is done when it cannot be had. Every length of time is a
/// `Duration`.
public struct RefreshPolicy: Hashable, Sendable {
    /// How long a set is fresh whose response does not say.
    public var defaultLifetime: Duration = .seconds(300)
    /// What a response may say: less is raised (providers send `max-age=0`), more is lowered (and ten years).
    public var lifetimeBounds: ClosedRange<Duration> = .seconds(60)...(.seconds(3_600))
    /// The part of the lifetime after which the set is fetched again, while it is still fresh.
    public var refreshFraction = 0.8
    /// How far each instance strays from ``refreshFraction``, either way, so that a fleet does not fetch as one.
    public var refreshJitter = 0.1
    /// How long a set is believed beyond its lifetime while its source fails. At most ``longestStaleness``.
    public var staleIfError: Duration = .seconds(3_600) {
        didSet { staleIfError = min(max(staleIfError, .zero), Self.longestStaleness) }
    }
    /// Nobody is served keys that were confirmed longer ago than this and a lifetime.
    public static let longestStaleness: Duration = .seconds(86_400)

    /// The wait after a failure: doubled from the lower bound to the upper one and drawn at random between the lower one and that
    /// (full jitter). `Retry-After` raises it, up to ``longestRetryAfter``.
    public var backoff: ClosedRange<Duration> = .seconds(1)...(.seconds(300))
    public var longestRetryAfter: Duration = .seconds(300)
    /// A fetch that has not ended after this is given up, whatever its transport does.
    public var attemptLimit: Duration = .seconds(10)

    /// How many fetches unknown key ids (and the want of any keys) may cause in any ``probeWindow``. Every fetch brings the whole
    /// set, so one limit serves junk and rotation alike, and nothing postpones the next probe by more than the window.
    public var probeLimit = 2
    public var probeWindow: Duration = .seconds(10)
    /// How long a key id that a fresh set did not have is taken for unknown without asking again, and how many are remembered.
    public var negativeLifetime: Duration = .seconds(10)
    public var negativeCapacity = 4_096

    /// How long an asynchronous verification waits for a fetch under way.
    public var waitBudget: WaitBudget = .gateway
    /// How many may wait at once; others are told `keys_unavailable` at once.
    public var waiterLimit = 16_384

    /// The share of the usable keys (0 to 1) that may disappear at once. A set beyond it is held until the next fetch, at most
    /// ``heldRecheck`` later, brings the same again. Nil: every change is taken, and reported.
    public var maximumChurn: Double?
    public var heldRecheck: Duration = .seconds(60)
    /// What a document without keys means.
    public var emptySet: EmptySet = .failedRefresh

    public init() {}

    /// How long to wait for keys.
    public enum WaitBudget: Hashable, Sendable {
        /// 150 ms: within the 200 ms that Envoy gives an authorization service.
        case gateway
        /// 5 s: a person, over the internet, with nothing cached.
        case interactive
        /// Not at all.
        case none
        case custom(Duration)

        public var duration: Duration {
            switch self {
            case .gateway: .milliseconds(150)
            case .interactive: .seconds(5)
            case .none: .zero
            case .custom(let duration): duration
            }
        }
    }

    /// What a document without keys means.
    public enum EmptySet: Sendable {
        /// A mistake of its publisher: the old set stays, and its staleness runs on.
        case failedRefresh
        /// All keys are revoked (SPIFFE bundles say it so).
        case revokesAll
    }
}

extension RefreshPolicy {
    /// Keeps verifying through an hour of outage. The default.
    public static let availabilityFirst = Self()

    /// Drops a removed key within five minutes, outage or not: nothing is believed beyond its lifetime, and no lifetime is longer.
    public static let revocationFirst = {
        var policy = Self()
        policy.lifetimeBounds = .seconds(60)...(.seconds(300))
        policy.staleIfError = .zero
        return policy
    }()

    /// The longest time for which a removed key goes on verifying while its source can be reached: the latest scheduled refresh of
    /// the longest lifetime, and one attempt.
    public var removedKeyLife: Duration {
        lifetimeBounds.upperBound * (refreshFraction + refreshJitter) + attemptLimit
    }

    /// The same while its source fails: the longest lifetime and staleness.
    public var removedKeyLifeInOutage: Duration { lifetimeBounds.upperBound + staleIfError }

    /// The lifetime by this policy of a response, counted from now: what its origin gave it, less what caches on the way have used up.
    package func lifetime(_ directives: CacheDirectives) -> Duration {
        let left = (directives.lifetime ?? defaultLifetime) - directives.age
        return min(max(left, lifetimeBounds.lowerBound), lifetimeBounds.upperBound)
    }
}
