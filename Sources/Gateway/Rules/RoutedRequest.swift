/// A request whose policy is known, in the host's memory.
struct RoutedRequest: ~Escapable {
    let request: RequestView
    let target: TargetView
    /// The position of the route, and of its policy.
    let route: Int
    let policy: Int
    /// Whether it is a preflight that its route admits without a token.
    let isPreflight: Bool

    /// Finds the policy of `request`.
    ///
    /// - Throws: `malformed_request`, `ambiguous_path`, `ambiguous_field` or `no_route`.
    @_lifetime(copy request)
    init(_ request: RequestView, _ rules: DecisionRules) throws(Denial) {
        guard Self.isMethod(request.method) else { throw Denial(.malformedRequest) }
        guard let target = TargetView(request.target, method: request.method, rules.paths) else { throw Denial(.ambiguousPath) }
        let host = rules.matchesHosts ? HostView(request.authority) : nil
        if rules.matchesHosts, host == nil { throw Denial(.malformedRequest) }
        guard !rules.hasAmbiguousField(request) else { throw Denial(.ambiguousField) }
        let preflight = rules.preflightRoute(of: request, target, host)
        guard let route = preflight ?? rules.route(of: request, method: request.method, target, host) else { throw Denial(.noRoute) }
        self.request = request
        self.target = target
        self.route = route
        policy = rules.routes[route].policy
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
