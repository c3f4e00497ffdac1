/// A request whose policy is known, in the host's memory.
struct RoutedRequest: ~Escapable {
    let request: RequestView
    let target: TargetView
    /// The position of the route, unless the host has its own, and of the policy.
    let route: Int?
    let policy: Int
    /// Whether it is a preflight that the route admits without a token.
    let isPreflight: Bool

    /// Finds the policy of `request`.
    ///
    /// - Throws: `malformed_request`, `ambiguous_path`, `ambiguous_field`, `no_route` or `no_policy`.
    @_lifetime(copy request)
    init(_ request: RequestView, _ rules: __shared DecisionRules) throws(Denial) {
        guard Self.isMethod(request.method) else { throw Denial(.malformedRequest) }
        guard let target = TargetView(request.target, method: request.method, rules.paths) else { throw Denial(.ambiguousPath) }
        let host = rules.matchesHosts ? HostView(request.authority) : nil
        if rules.matchesHosts, host == nil { throw Denial(.malformedRequest) }
        guard !rules.hasAmbiguousField(request) else { throw Denial(.ambiguousField) }
        self.request = request
        self.target = target
        if rules.isHostRouted {
            guard let policy = rules.hostPolicy(of: request) else { throw Denial(.noPolicy) }
            (route, self.policy, isPreflight) = (nil, policy, rules.isHostPreflight(request))
            return
        }
        // A policy that the settings do not leave to the host.
        guard request.policy.isEmpty else { throw Denial(.noPolicy) }
        let preflight = rules.preflightRoute(of: request, target, host)
        guard let route = preflight ?? rules.route(of: request, method: request.method, target, host) else { throw Denial(.noRoute) }
        self.route = route
        policy = rules.routes.lend(route) { $0.policy }
        isPreflight = preflight != nil
    }

    /// Methods are case-sensitive (RFC 9110 section 9.1), and some servers do not know it: only one spelling passes.
    static func isMethod(_ method: Span<UInt8>) -> Bool {
        guard !method.isEmpty, method.count <= 32 else { return false }
        for place in method.indices {
            let byte = method[place]
            guard byte.isUpperCaseLetter || byte.isDigit || byte == UInt8(ascii: "-") else { return false }
        }
        return true
    }
}
