import Gateway
import Testing

/// Which route decides.
struct RouteTests {
    private static func scene(_ route: Route) async throws -> Scene {
        try await Scene(Scene.configuration(nil) { $0.routes = [route] })
    }

    private static func route(_ change: (inout Route) -> Void) -> Route {
        var route = Route(policy: "main")
        change(&route)
        return route
    }

    @Test
    func theFirstMatchDecides() async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.policies.append(GatewayPolicy("open", requirement: nil))
                $0.routes = [Route(.exact("/a"), policy: "open"), Route(.prefix("/a"), policy: "main"), Route(policy: "open")]
            })
        #expect(scene.verdict(Scene.request([], "/a")) == "anonymous")
        #expect(scene.verdict(Scene.request([], "/a/")) == "401 missing_token")
        #expect(scene.verdict(Scene.request([], "/b")) == "anonymous")
    }

    @Test
    func methodsAreComparedExactly() async throws {
        let scene = try await Self.scene(Self.route { $0.methods = ["GET", "M-SEARCH"] })
        for (method, expected) in [
            ("GET", "anonymous"), ("M-SEARCH", "anonymous"), ("HEAD", "403 no_route"), ("POST", "403 no_route"),
            ("OPTIONS", "403 no_route"), ("get", "400 malformed_request"), ("Get", "400 malformed_request"), ("", "400 malformed_request"),
            ("GET ", "400 malformed_request"), ("GE\u{0}T", "400 malformed_request"), ("G\u{c9}T", "400 malformed_request"),
            (String(repeating: "G", count: 32), "403 no_route"), (String(repeating: "G", count: 33), "400 malformed_request"),
        ] {
            #expect(scene.verdict(Scene.request(method: method)) == expected, "\(method)")
        }
    }

    @Test(arguments: ["X-HTTP-Method-Override", "x-http-method", "X_HTTP_Method_Override", "X-Method-Override"])
    func aMethodOverrideIsRefusedWhereMethodsMatter(name: String) async throws {
        let scene = try await Self.scene(Self.route { $0.methods = ["GET"] })
        #expect(scene.verdict(Scene.request([(name, "DELETE")])) == "400 ambiguous_field")
        #expect(scene.verdict(Scene.request([(name, "GET")])) == "anonymous")
        let open = try await Scene(Scene.configuration(nil))
        #expect(open.verdict(Scene.request([(name, "DELETE")])) == "anonymous")
    }

    @Test
    func aTunnelNeedsARouteThatNamesIt() async throws {
        let any = try await Self.scene(Route(policy: "main"))
        #expect(any.verdict(Scene.request([], "db.example:5432", method: "CONNECT")) == "403 no_route")
        #expect(any.verdict(Scene.request([], "/chat", method: "CONNECT")) == "403 no_route")
        #expect(any.verdict(Scene.request([], "*", method: "OPTIONS")) == "anonymous")
        #expect(any.verdict(Scene.request([], "*", method: "GET")) == "400 ambiguous_path")
        let named = try await Self.scene(Self.route { $0.methods = ["CONNECT"] })
        #expect(named.verdict(Scene.request([], "db.example:5432", method: "CONNECT")) == "anonymous")
        #expect(named.verdict(Scene.request([], "", method: "CONNECT")) == "400 ambiguous_path")
        #expect(named.verdict(Scene.request([], "a b", method: "CONNECT")) == "400 ambiguous_path")
        let path = try await Self.scene(Route(.prefix("/"), policy: "main"))
        #expect(path.verdict(Scene.request([], "*", method: "OPTIONS")) == "403 no_route")
        #expect(path.verdict(Scene.request([], "/x", method: "OPTIONS")) == "anonymous")
    }

    @Test
    func hostsAreComparedWithoutCasePortAndFinalDot() async throws {
        let scene = try await Self.scene(Self.route { $0.hosts = ["api.example", "*.tenant.example", "[::1]"] })
        for (host, expected) in [
            ("api.example", "anonymous"), ("API.Example:8443", "anonymous"), ("api.example.", "anonymous"),
            ("api.example.:80", "anonymous"),
            ("a.tenant.example", "anonymous"), ("a.b.tenant.example", "anonymous"), ("[::1]:80", "anonymous"), ("[::1]", "anonymous"),
            ("tenant.example", "403 no_route"), (".tenant.example", "400 malformed_request"), ("xtenant.example", "403 no_route"),
            ("api.example.evil", "403 no_route"), ("evil.api.example", "403 no_route"), ("", "400 malformed_request"),
            ("api.example@evil", "400 malformed_request"), ("api.example:80:80", "400 malformed_request"),
            ("api.example:x", "400 malformed_request"), ("api.example/x", "400 malformed_request"),
            ("api.example, evil", "400 malformed_request"), ("api.example\u{0}", "400 malformed_request"),
            ("[::1]x", "400 malformed_request"), ("[::1", "400 malformed_request"),
            // Servers differ in how many dots they take away.
            ("api.example..", "400 malformed_request"), ("api..example", "400 malformed_request"), ("..", "400 malformed_request"),
            ("api.example..:80", "400 malformed_request"), (".", "400 malformed_request"), ("api.example%2e", "400 malformed_request"),
            ("\u{212A}.example", "400 malformed_request"),
        ] {
            #expect(scene.verdict(Scene.request(host: host)) == expected, "\(host)")
        }
    }

    @Test
    func aFieldConditionNeedsExactlyOneFieldWithThatValue() async throws {
        let scene = try await Self.scene(Self.route { $0.fields = [Field("X-Tenant", "a")] })
        #expect(scene.verdict(Scene.request([("x-tenant", "a")])) == "anonymous")
        #expect(scene.verdict(Scene.request([("X-TENANT", " a ")])) == "anonymous")
        #expect(scene.verdict(Scene.request([("x-tenant", "A")])) == "403 no_route")
        #expect(scene.verdict(Scene.request([("x-tenant", "a"), ("x-tenant", "a")])) == "403 no_route")
        #expect(scene.verdict(Scene.request([])) == "403 no_route")
    }

    @Test
    func theGatewaysContextIsNotTheClientsFields() async throws {
        let scene = try await Self.scene(Self.route { $0.context = ["route": "admin"] })
        var request = Scene.request([("route", "admin"), ("x-route", "admin")])
        #expect(scene.verdict(request) == "403 no_route")
        request.context = ["route": "admin", "more": "1"]
        #expect(scene.verdict(request) == "anonymous")
        request.context = ["route": "Admin"]
        #expect(scene.verdict(request) == "403 no_route")
    }
}
