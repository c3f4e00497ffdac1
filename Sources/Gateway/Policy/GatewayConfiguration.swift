/// Everything that a decision depends on, besides the request, the keys, the revocations and the time.
public struct GatewayConfiguration: Sendable {
    public var providers: [Provider]
    public var policies: [GatewayPolicy]
    public var routes: [Route]
    public var paths = PathRules()
    public var fieldLimits = FieldLimits()

    public init(providers: [Provider], policies: [GatewayPolicy], routes: [Route]) {
        self.providers = providers
        self.policies = policies
        self.routes = routes
    }
}
