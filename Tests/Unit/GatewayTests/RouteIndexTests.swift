import Gateway
import JWKSCache
import Testing

/// Many routes decide as few do: the first one that matches. The index is compared with a search through all routes.
struct RouteIndexTests {
    @Test(arguments: 0..<40)
    func theFirstRouteThatMatchesDecides(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let routes = (0..<Int.random(in: 9...60, using: &random)).map { Self.route($0, &random) }
        let scene = try await Scene(Self.configuration(routes))
        for _ in 0..<200 {
            let host = Self.hosts.randomElement(using: &random) ?? "", target = Self.target(&random)
            let method = ["GET", "POST"].randomElement(using: &random) ?? "GET"
            let facts = RequestFacts(method: method, host: host, target: target)
            let expected = routes.firstIndex { Self.matches($0, method, host, target) }
            #expect(scene.core.explain(facts, now: Scene.now).route == expected, "\(method) \(host) \(target)")
        }
    }

    /// Fifteen thousand tenants, by host and by path.
    @Test
    func aRequestIsNotComparedWithEachRoute() async throws {
        let routes = (0..<15_000).map { number in
            var route = Route(.prefix("/tenants/\(number)"), policy: "open")
            if number % 2 == 0 { route = Route(nil, policy: "open") }
            if number % 2 == 0 { route.hosts = ["tenant-\(number).example"] }
            return route
        }
        let scene = try await Scene(Self.configuration(routes))
        for number in [0, 1, 7_000, 7_001, 14_998, 14_999] {
            let facts = RequestFacts(method: "GET", host: "tenant-\(number).example:8443", target: "/tenants/\(number)/orders?a=1")
            #expect(scene.core.explain(facts, now: Scene.now).route == number)
        }
        let facts = RequestFacts(method: "GET", host: "tenant-1.example", target: "/tenants/2")
        #expect(scene.core.explain(facts, now: Scene.now).route == nil)
    }

    // Routes and requests of few words, so that most requests match several routes

    private static let segments = ["a", "b", "ab", "%61", "c%2Fd"]
    private static let names = ["one.example", "two.example", "a.one.example"]
    private static let hosts = ["one.example", "ONE.example:80", "a.one.example", "b.a.one.example", "two.example.", "other.example"]

    private static func route(_ number: Int, _ random: inout SeededGenerator) -> Route {
        let path =
            "/"
            + (0..<Int.random(in: 0...3, using: &random)).map { _ in ["a", "b", "ab"].randomElement(using: &random) ?? "" }
            .joined(separator: "/")
        let pattern = ["/*", "/a/*", "/*/b", "/a/**", "/**", "/a/*/**", "/b/*/a"].randomElement(using: &random) ?? "/*"
        let matches: [Route.PathMatch?] = [nil, .exact(path), .exact(path), .prefix(path), .prefix(path), .pattern(pattern)]
        var route = Route(matches.randomElement(using: &random) ?? nil, policy: "open")
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            route.hosts.append((Bool.random(using: &random) ? "*." : "") + (names.randomElement(using: &random) ?? ""))
        }
        if Int.random(in: 0..<4, using: &random) == 0 { route.methods = ["POST"] }
        return route
    }

    private static func target(_ random: inout SeededGenerator) -> String {
        "/" + (0..<Int.random(in: 0...4, using: &random)).map { _ in segments.randomElement(using: &random) ?? "" }.joined(separator: "/")
    }

    private static func configuration(_ routes: [Route]) -> GatewayConfiguration {
        var configuration = Scene.configuration()
        configuration.policies.append(GatewayPolicy("open", requirement: nil))
        configuration.routes = routes
        configuration.paths.allowsEncodedSlashes = true
        return configuration
    }

    // The reference

    private static func matches(_ route: Route, _ method: String, _ host: String, _ target: String) -> Bool {
        guard route.methods.isEmpty || route.methods.contains(method) else { return false }
        var name = host.lowercased().split(separator: ":")[0]
        if name.hasSuffix(".") { name.removeLast() }
        let isHost = route.hosts.contains { pattern in
            pattern.hasPrefix("*.") ? name.hasSuffix(pattern.dropFirst()) && name.count > pattern.count - 1 : name == pattern
        }
        guard route.hosts.isEmpty || isHost else { return false }
        let path = target.split(separator: "?")[0].replacing("%61", with: "a")
        switch route.path {
        case .exact(let wanted): return path == wanted
        case .prefix(let wanted): return path == wanted || path.hasPrefix(wanted.hasSuffix("/") ? wanted : wanted + "/")
        case .pattern(let pattern):
            return matches(
                pattern.split(separator: "/")[...], path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)[...])
        case nil: return true
        }
    }

    private static func matches(_ pattern: ArraySlice<Substring>, _ path: ArraySlice<Substring>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if first == "**" { return true }
        guard let segment = path.first, first == "*" ? !segment.isEmpty : first == segment else { return false }
        return matches(pattern.dropFirst(), path.dropFirst())
    }
}
