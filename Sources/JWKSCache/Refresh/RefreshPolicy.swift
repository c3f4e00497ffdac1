/// When a key set is fetched again, how long it is accepted, and what happens when it cannot be fetched. Every length of time is a
/// `Duration`.
public struct RefreshPolicy: Hashable, Sendable {
    /// How long a set is fresh if its response gives no lifetime, within ``lifetimeBounds``.
    public var defaultLifetime: Duration = .seconds(300)
    /// The shortest and the longest lifetime that a response may ask for: providers send `max-age=0` and ten years.
    public var lifetimeBounds: ClosedRange<Duration> = .seconds(60)...(.seconds(3_600))
    /// The share of the lifetime (0 to 1) after which the set is fetched again, while it is still fresh.
    public var refreshFraction = 0.8 {
        didSet { refreshFraction = Self.share(refreshFraction, else: oldValue) }
    }
    /// How far an instance may deviate from ``refreshFraction``, either way (0 to 1), so that a fleet does not fetch at the same moment.
    public var refreshJitter = 0.1 {
        didSet { refreshJitter = Self.share(refreshJitter, else: oldValue) }
    }
    /// How long a set is accepted after its lifetime while its source fails. At most ``longestStaleness``.
    public var staleIfError: Duration = .seconds(3_600) {
        didSet { staleIfError = min(max(staleIfError, .zero), Self.longestStaleness) }
    }
    /// The upper bound of ``staleIfError``.
    public static let longestStaleness: Duration = .seconds(86_400)

    /// The wait after a failure: the upper limit doubles from the lower bound to the upper one, and the wait is drawn at random between the
    /// lower bound and that limit (full jitter). `Retry-After` raises it, up to ``longestRetryAfter``.
    public var backoff: ClosedRange<Duration> = .seconds(1)...(.seconds(300))
    /// The longest `Retry-After` that is obeyed.
    public var longestRetryAfter: Duration = .seconds(300)
    /// The time limit for one fetch with all its sources and documents. After it the fetch is cancelled and counts as failed. A fetch
    /// requests one document of a URL and at most four of an issuer (``RemoteKeySet``); the transport limits the time of each.
    public var attemptLimit: Duration = .seconds(10)

    /// The number of fetches that unknown key ids (and missing keys) may cause in any ``probeWindow``: fetches, not requests. Every fetch
    /// gets the whole set, so one limit serves junk and rotation alike, and nothing delays the next probe by more than the window.
    public var probeLimit = 2
    /// The window for ``probeLimit``.
    public var probeWindow: Duration = .seconds(10)
    /// How long a key id that a fetched set lacked is refused as unknown without another fetch.
    public var negativeLifetime: Duration = .seconds(10)
    /// The maximum number of remembered unknown key ids.
    public var negativeCapacity = 4_096

    /// How long an asynchronous verification waits for a fetch in progress.
    public var waitBudget: WaitBudget = .gateway
    /// How many may wait at once; others get `keys_unavailable` immediately.
    public var waiterLimit = 16_384

    /// The maximum share of the usable keys (0 to 1) that may disappear at once. A set beyond it is held until the next fetch, at most
    /// ``heldRecheck`` later, confirms it. Nil: every change is accepted, and reported.
    public var maximumChurn: Double?
    /// The longest wait before a held set is fetched again.
    public var heldRecheck: Duration = .seconds(60)
    /// The meaning of a document without keys for JWTs. A SPIFFE bundle without them always revokes all keys (SPIFFE Trust Domain and Bundle,
    /// section 4).
    public var emptySet: EmptySet = .failedRefresh

    public init() {}

    /// Clamps `value` to 0...1. NaN leaves the old share.
    private static func share(_ value: Double, else old: Double) -> Double { value.isNaN ? old : min(max(value, 0), 1) }

    /// How long to wait for keys.
    public enum WaitBudget: Hashable, Sendable {
        /// 150 ms: within the 200 ms that Envoy gives an authorization service.
        case gateway
        /// 5 s: for a user who waits, over the internet, with nothing cached.
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

    /// The meaning of a document without keys for JWTs. A key with another `use` than `sig` does not count.
    public enum EmptySet: Sendable {
        /// A mistake of its publisher: the old set stays, and its staleness continues.
        case failedRefresh
        /// All keys are revoked.
        case revokesAll
    }
}

extension RefreshPolicy {
    /// Keeps verifying during an outage of an hour. The default.
    public static let availabilityFirst = Self()

    /// Drops a removed key within five minutes after the source's last answer that has it, with or without an outage: no set is accepted
    /// beyond its lifetime, and no lifetime is longer. A cache between you and the source may repeat an old answer: see
    /// ``removedKeyLife``.
    public static let revocationFirst = {
        var policy = Self()
        policy.lifetimeBounds = .seconds(60)...(.seconds(300))
        policy.staleIfError = .zero
        return policy
    }()

    /// The longest time that a removed key still verifies while its source is reachable and answers itself: the latest scheduled refresh of
    /// the longest lifetime, plus one attempt. A cache in front of the source adds the time for which it serves its copy: a scheduled fetch
    /// accepts a copy.
    public var removedKeyLife: Duration {
        lifetimeBounds.upperBound * (refreshFraction + refreshJitter) + attemptLimit
    }

    /// The same while its source fails: the longest lifetime and staleness.
    public var removedKeyLifeInOutage: Duration { lifetimeBounds.upperBound + staleIfError }

    /// The lifetime of a response, counted from now: the origin's lifetime minus the age in intermediate caches, within the bounds.
    package func lifetime(_ directives: CacheDirectives) -> Duration {
        let left = (directives.lifetime ?? defaultLifetime) - directives.age
        return min(max(left, lifetimeBounds.lowerBound), lifetimeBounds.upperBound)
    }
}
