internal import JWTCore

/// A route, prepared for matching. The first one that matches decides.
final class RouteRules: Sendable {
    private let path: Route.PathMatch?
    /// The path, or what stands in front of a pattern's first wildcard.
    private let pathBytes: [UInt8]
    private let pattern: PathPattern?
    private let methods: NameList
    let hosts: [HostPattern]
    private let fields: [Pair]
    private let context: [Pair]
    let admitsPreflights: Bool
    /// The position of its policy.
    let policy: Int

    private struct Pair {
        let name: [UInt8]
        let value: [UInt8]

        init(_ name: String, _ value: String) {
            self.name = Array(name.utf8)
            self.value = Array(value.utf8)
        }
    }

    init(_ route: Route, hosts: [HostPattern], policy: Int, _ rules: PathRules) {
        path = route.path
        pattern = if case .pattern(let text) = route.path { PathPattern(text, rules) } else { nil }
        pathBytes =
            switch route.path {
            case .exact(let path), .prefix(let path): rules.bytes(of: path) ?? []
            case .pattern: pattern?.root ?? []
            case nil: []
            }
        methods = NameList(route.methods)
        self.hosts = hosts
        fields = route.fields.map { Pair($0.name, $0.value) }
        context = route.context.map { Pair($0.key, $0.value) }
        admitsPreflights = route.admitsPreflights
        self.policy = policy
    }

    /// The number of the path's bytes.
    var pathCount: Int { pathBytes.count }

    /// The hashes for ``RouteIndex``: of the path with each host.
    var hashes: [UInt64] {
        var hash = TextHash()
        for byte in pathBytes { hash.add(byte) }
        let path: RouteHash.Path =
            switch path {
            case .exact: .exact(hash)
            case .prefix, .pattern: .prefix(hash)
            case nil: .any
            }
        return hosts.isEmpty ? [RouteHash(path, .none).value] : hosts.map { RouteHash(path, $0.hash).value }
    }

    /// - Parameter method: that of the request, or the one that a preflight asks for.
    func matches(_ request: RequestView, method: Span<UInt8>, _ target: TargetView, _ host: HostView?) -> Bool {
        matchesMethod(method) && matchesPath(target) && matchesHost(host) && matchesFields(request) && matchesContext(request)
    }

    /// A tunnel or a target without a path gets only what a route names.
    private func matchesMethod(_ method: Span<UInt8>) -> Bool {
        methods.isEmpty ? !method.equals(Self.connect) : methods.contains { method.equals($0) }
    }

    private func matchesPath(_ target: TargetView) -> Bool {
        switch path {
        case .exact: target.path?.equals(pathBytes) ?? false
        case .prefix: target.path?.begins(with: pathBytes) ?? false
        case .pattern: matchesPattern(target)
        case nil: true
        }
    }

    private func matchesPattern(_ target: TargetView) -> Bool {
        guard let pattern, let path = target.path else { return false }
        return pattern.matches(path)
    }

    private func matchesHost(_ host: HostView?) -> Bool {
        guard !hosts.isEmpty else { return true }
        guard let host else { return false }
        for pattern in hosts where pattern.matches(host) { return true }
        return false
    }

    /// A repeated field has no value to compare.
    private func matchesFields(_ request: RequestView) -> Bool {
        for field in fields {
            guard let place = request.onlyField(field.name) else { return false }
            let value = request.fieldValue(place)
            guard value.equals(field.value, in: value.trimmed(value.indices)) else { return false }
        }
        return true
    }

    private func matchesContext(_ request: RequestView) -> Bool {
        for entry in context where !request.hasContext(entry.name, entry.value) { return false }
        return true
    }

    private static let connect = Array("CONNECT".utf8)
}

extension PathRules {
    /// The decoded bytes of a path; nil if it has more than one reading.
    func bytes(of path: String) -> [UInt8]? {
        let text = Array(path.utf8)
        return PathView(text.span, self)?.bytes
    }
}

extension String {
    /// Equality of the UTF-8. `==` takes two encodings of one letter as equal.
    func hasSameBytes(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
