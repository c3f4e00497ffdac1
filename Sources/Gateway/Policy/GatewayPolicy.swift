/// What a route requires.
public struct GatewayPolicy: Sendable {
    /// The name in routes, counters and logs.
    public var name: String
    /// Nil: the route is open, and no token is read.
    public var requirement: Requirement?
    /// The token must have all of these, in `scope` (RFC 8693 section 4.2) or `scp`.
    public var scopes: [String] = []
    /// Each holds for the claims of every token that it is for.
    public var claimRules: [ClaimRule] = []
    /// `realm` of the challenge.
    public var realm: String?
    /// `resource_metadata` of the challenge: the URL of the protected resource's metadata (RFC 9728 section 5.1).
    public var resourceMetadata: String?
    /// The identifier of the protected resource (``ProtectedResource``) that the policy is for: tokens name it in `aud`, and challenges its
    /// metadata, in place of ``resourceMetadata``.
    public var resource: String?
    /// `acr` of a token is one of these (RFC 9470). Empty: it is not looked at.
    public var contextClasses: [String] = []
    /// The largest age of `auth_time` (RFC 9470), from one second to ten years. Nil: it is not looked at.
    public var maximumAuthenticationAge: Duration?
    /// Where browsers are sent that would get a 401: an https URL, or a path that begins with a single slash. `{url}` in its query stands for
    /// the client's URL, percent-encoded.
    public var browserRedirect: String?
    public var mode: Mode = .enforced
    /// The name of a policy that is evaluated beside this one. It is counted and never decides.
    public var shadow: String?

    public enum Mode: String, Sendable {
        case enforced
        /// Refusals are counted and logged, and the request is allowed as anonymous.
        case dryRun
    }

    public init(_ name: String, requirement: Requirement?) {
        self.name = name
        self.requirement = requirement
    }
}
