public import JWKSCache

/// When status lists are fetched again, how long they are accepted, and what becomes of tokens without a list.
///
/// | the list | the token |
/// |---|---|
/// | fetched, within its lifetime | is judged by it |
/// | cannot be fetched again | is judged by the last list for `refresh.staleIfError` after its lifetime, then refused |
/// | at its address was refused | is judged by the last list for ``refusedGrace`` after its lifetime, then refused |
/// | was never fetched | is admitted for ``absentGrace`` after the first token that named the list, then refused |
/// | was never fetched, and refused | is admitted for ``refusedGrace`` after the first refusal, then refused |
/// | has no such place, or may not be fetched | is refused |
///
/// A list that has expired (`exp`) is never used. No grace holds for an address that the limits keep from being remembered.
public struct StatusListPolicy: Hashable, Sendable {
    /// When lists are fetched: as for key sets. A list's `ttl` is its lifetime, within `lifetimeBounds`; without one, that of the response.
    public var refresh: RefreshPolicy
    /// How long tokens are admitted whose list was never fetched. Zero unless set; at most ``longestGrace``.
    public var absentGrace: Duration = .zero {
        didSet { absentGrace = Self.grace(absentGrace) }
    }
    /// How long a refusal is treated as an outage. Zero unless set; at most ``longestGrace``.
    public var refusedGrace: Duration = .zero {
        didSet { refusedGrace = Self.grace(refusedGrace) }
    }
    /// The upper bound of both graces.
    public static let longestGrace: Duration = .seconds(3_600)

    public init(refresh: RefreshPolicy = Self.lists) { self.refresh = refresh }

    /// As for key sets, with shorter lifetimes and pauses: a list changes more often than keys do.
    public static let lists = {
        var policy = RefreshPolicy.availabilityFirst
        policy.lifetimeBounds = .seconds(15)...(.seconds(3_600))
        policy.backoff = .seconds(1)...(.seconds(60))
        return policy
    }()

    private static func grace(_ duration: Duration) -> Duration { min(max(duration, .zero), longestGrace) }
}

extension StatusListPolicy {
    /// Refuses tokens without a list, and judges by the last one for an hour of an outage. The default.
    public static let closedFirst = Self()

    /// Admits tokens for a minute while their list was never fetched. The rest is ``closedFirst``.
    public static let availabilityFirst = {
        var policy = Self()
        policy.absentGrace = .seconds(60)
        return policy
    }()

    /// Accepts no list beyond its lifetime, which is five minutes at most.
    public static let revocationFirst = {
        var policy = Self()
        policy.refresh.lifetimeBounds = .seconds(15)...(.seconds(300))
        policy.refresh.staleIfError = .zero
        return policy
    }()
}
