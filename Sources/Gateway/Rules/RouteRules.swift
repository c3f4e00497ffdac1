/// A route, prepared for matching. The first one that matches decides.
final class RouteRules: Sendable {
    private let path: Route.PathMatch?
    private let pathBytes: [UInt8]
    private let methods: Set<String>
    private let hosts: [HostPattern]
    private let fields: [Field]
    private let context: [(key: String, value: String)]
    /// The position of its policy.
    let policy: Int

    init(_ route: Route, hosts: [HostPattern], policy: Int, _ rules: PathRules) {
        path = route.path
        pathBytes =
            switch route.path {
            case .exact(let path), .prefix(let path): PathReading(Array(path.utf8)[...], rules)?.bytes ?? []
            case nil: []
            }
        methods = Set(route.methods)
        self.hosts = hosts
        fields = route.fields
        context = route.context.map { ($0.key, $0.value) }
        self.policy = policy
    }

    func matches(_ facts: RequestFacts, _ target: RequestTarget, _ host: HostName?) -> Bool {
        // A tunnel or a target without a path gets only what a route names.
        guard methods.isEmpty ? facts.method != "CONNECT" : methods.contains(facts.method) else { return false }
        return matchesPath(target) && matchesHost(host) && fields.allSatisfy { matches($0, facts) }
            && context.allSatisfy { facts.context[$0.key].map($0.value.hasSameBytes) ?? false }
    }

    private func matchesPath(_ target: RequestTarget) -> Bool {
        switch path {
        case .exact: target.path.map { $0.bytes == pathBytes } ?? false
        case .prefix: target.path?.begins(with: pathBytes) ?? false
        case nil: true
        }
    }

    private func matchesHost(_ host: HostName?) -> Bool {
        guard !hosts.isEmpty else { return true }
        guard let host else { return false }
        return hosts.contains { $0.matches(host) }
    }

    /// A repeated field has no value to compare: servers differ in which one they take.
    private func matches(_ field: Field, _ facts: RequestFacts) -> Bool {
        let values = facts.values(of: field.name)
        return values.count == 1 && values[0].elementsEqual(field.value.utf8)
    }
}

extension String {
    /// Equality of the UTF-8. `==` takes two encodings of one letter as equal.
    func hasSameBytes(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
