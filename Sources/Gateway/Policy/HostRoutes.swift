/// For hosts that have routes of their own, and name the policy of each request: what else would stand in ``Route``.
public struct HostRoutes: Hashable, Sendable {
    /// The name of the policy of requests for which the host names none.
    public var policy: String
    /// Whether preflights of CORS pass without a token.
    public var admitsPreflights = false
    /// Whether a field such as `X-HTTP-Method-Override` may name another method than that of the request. The host's routes may look at
    /// methods.
    public var allowsMethodOverride = false

    public init(policy: String) { self.policy = policy }
}
