internal import JWTCore

/// Everything that a decision depends on, besides the request, the keys, the revocations and the time.
public struct GatewayConfiguration: Sendable {
    public var providers: [Provider]
    public var policies: [GatewayPolicy]
    public var routes: [Route]
    /// In place of ``routes``, for a host that has its own.
    public var hostRoutes: HostRoutes?
    /// What clients learn of the things that the policies protect.
    public var resources: [ProtectedResource] = []
    public var paths = PathRules()
    public var fieldLimits = FieldLimits()
    /// The most bytes of a token.
    public var tokenBytes = TokenLimits.standard.tokenBytes
    /// Whether an admission has the subject of its token (``Admission/subject``): personal data, for a host that asks for it.
    public var keepsSubjects = false

    public init(providers: [Provider], policies: [GatewayPolicy], routes: [Route]) {
        self.providers = providers
        self.policies = policies
        self.routes = routes
    }

    /// The configuration of a host that has routes of its own.
    public init(providers: [Provider], policies: [GatewayPolicy], hostRoutes: HostRoutes) {
        self.init(providers: providers, policies: policies, routes: [])
        self.hostRoutes = hostRoutes
    }
}
