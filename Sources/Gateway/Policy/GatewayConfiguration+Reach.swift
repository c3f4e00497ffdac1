extension GatewayConfiguration {
    /// The routes that never decide, each with the first one that takes all of its requests, by their positions.
    ///
    /// The time grows with the number of routes and the depth of their paths, not with the square of the number.
    package var unreachedRoutes: [(route: Int, by: Int)] {
        var earlier = EarlierRoutes(), found: [(route: Int, by: Int)] = []
        for (place, route) in routes.enumerated() {
            let path = route.path.map { $0.bytes(paths) }
            if let by = earlier.candidates(for: route.path, path).first(where: { routes[$0].covers(route) }) { found.append((place, by)) }
            earlier.insert(place, route, path)
        }
        return found
    }
}

/// The routes so far, by what their paths take.
private struct EarlierRoutes {
    private var anyPath: [Int] = []
    private var exact: [[UInt8]: [Int]] = [:]
    private var prefix: [[UInt8]: [Int]] = [:]
    private var patterns: [String: [Int]] = [:]

    mutating func insert(_ place: Int, _ route: Route, _ path: [UInt8]?) {
        switch (route.path, path) {
        case (.exact, let path?): exact[path, default: []].append(place)
        case (.prefix, let path?): prefix[path, default: []].append(place)
        case (.pattern(let pattern), _): patterns[pattern, default: []].append(place)
        default: anyPath.append(place)
        }
    }

    /// The routes that take every request for `path` as far as the path goes, in their order. Nil stands for every request.
    func candidates(for match: Route.PathMatch?, _ path: [UInt8]?) -> [Int] {
        guard let path else { return anyPath }
        var same: [Int] = []
        if case .pattern(let pattern) = match { same = patterns[pattern] ?? [] }
        var places = anyPath + same + (exact[path] ?? []) + (prefix[path] ?? []) + (path.count > 1 ? prefix[[UInt8(ascii: "/")]] ?? [] : [])
        for end in path.indices.dropFirst() where path[end] == UInt8(ascii: "/") { places += prefix[Array(path[..<end])] ?? [] }
        return places.sorted()
    }
}

extension Route {
    /// Whether every request that `other` matches matches this route too, as far as other conditions than the path go.
    fileprivate func covers(_ other: Route) -> Bool {
        if case .exact = path, case .exact? = other.path {} else if case .exact = path { return false }
        guard admitsPreflights || !other.admitsPreflights else { return false }
        return coversMethods(other) && coversHosts(other)
            && fields.allSatisfy { field in other.fields.contains { $0.name == field.name && $0.value.hasSameBytes(field.value) } }
            && context.allSatisfy { key, value in other.context[key].map(value.hasSameBytes) ?? false }
    }

    /// No method stands for all but CONNECT.
    private func coversMethods(_ other: Route) -> Bool {
        if methods.isEmpty { return !other.methods.contains("CONNECT") }
        return !other.methods.isEmpty && other.methods.allSatisfy(methods.contains)
    }

    private func coversHosts(_ other: Route) -> Bool {
        guard !hosts.isEmpty else { return true }
        let patterns = hosts.compactMap(HostPattern.init)
        return !other.hosts.isEmpty
            && other.hosts.allSatisfy { host in
                if hosts.contains(host) { return true }
                guard let host = HostPattern(host) else { return false }
                return patterns.contains { host.isCovered(by: $0) }
            }
    }
}

extension Route.PathMatch {
    fileprivate func bytes(_ rules: PathRules) -> [UInt8] {
        switch self {
        case .exact(let path), .prefix(let path): rules.bytes(of: path) ?? []
        // Every match of a pattern lies below it.
        case .pattern(let pattern): PathPattern(pattern, rules)?.root ?? []
        }
    }
}
