/// A request whose policy is known.
struct RoutedRequest {
    let facts: RequestFacts
    let target: RequestTarget
    /// The position of the route, and of its policy.
    let route: Int
    let policy: Int

    /// Finds the policy of `facts`.
    ///
    /// - Throws: `malformed_request`, `ambiguous_path`, `ambiguous_field` or `no_route`.
    init(_ facts: RequestFacts, _ rules: DecisionRules) throws(Denial) {
        guard Self.isMethod(facts.method) else { throw Denial(.malformedRequest) }
        guard let target = RequestTarget(facts.target, method: facts.method, rules.paths) else { throw Denial(.ambiguousPath) }
        let host = rules.matchesHosts ? HostName(facts.host) : nil
        guard !rules.matchesHosts || host != nil else { throw Denial(.malformedRequest) }
        guard !rules.hasAmbiguousField(facts) else { throw Denial(.ambiguousField) }
        guard let route = rules.routes.firstIndex(where: { $0.matches(facts, target, host) }) else { throw Denial(.noRoute) }
        self.facts = facts
        self.target = target
        self.route = route
        policy = rules.routes[route].policy
    }

    /// Methods are case-sensitive (RFC 9110 section 9.1), and some servers do not know it: only one spelling passes.
    static func isMethod(_ method: String) -> Bool {
        !method.isEmpty && method.utf8.count <= 32
            && method.utf8.allSatisfy { $0.isUpperCaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}
