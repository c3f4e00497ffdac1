/// The requests that a policy applies to. Conditions that are nil hold for every request; the first route that matches decides. A request
/// that no route matches is refused.
public struct Route: Sendable {
    public var path: PathMatch?
    /// In upper case. Empty: every method but `CONNECT`, which opens a tunnel.
    public var methods: [String] = []
    /// Without a port, compared without case; `*.example.com` matches every name below it. Empty: every host.
    public var hosts: [String] = []
    /// Fields with exactly these values, each once. A client chooses its own fields: use them only where the gateway sets them.
    public var fields: [Field] = []
    /// The gateway's own context with exactly these values.
    public var context: [String: String] = [:]
    /// Whether preflights of CORS for requests that the route matches pass without a token: browsers send none. The upstream answers them.
    public var admitsPreflights = false
    /// The name of the policy.
    public var policy: String

    public enum PathMatch: Hashable, Sendable {
        /// Compared after percent-decoding, with case.
        case exact(String)
        /// Whole segments: `/api` matches `/api` and `/api/x`, not `/apis`. Without a slash at the end.
        case prefix(String)
        /// Whole segments, of which `*` stands for any one, and `**` at the end for any rest, also for none: `/tenants/*/orders/**`.
        case pattern(String)
    }

    public init(_ path: PathMatch? = nil, policy: String) {
        self.path = path
        self.policy = policy
    }
}
