import Gateway
import Testing

/// Preflights of CORS, which a route may admit without a token.
struct PreflightTests {
    private static let origin = ("Origin", "https://app.example")
    private static let asks = ("Access-Control-Request-Method", "POST")

    /// `/orders` admits preflights of POST, `/admin` of nothing.
    private static func scene() async throws -> Scene {
        var orders = Route(.prefix("/orders"), policy: "main"), admin = Route(.prefix("/admin"), policy: "main")
        orders.methods = ["POST"]
        orders.admitsPreflights = true
        admin.methods = ["POST", "OPTIONS"]
        return try await Scene(
            Scene.configuration {
                $0.routes = [orders, admin]
                $0.policies[0].scopes = ["orders"]
                $0.providers[0].claimHeaders = [ClaimHeader("X-User", path: [.member("sub")])]
            })
    }

    private static func verdict(_ scene: Scene, _ fields: [(String, String)], _ target: String = "/orders", method: String = "OPTIONS")
        -> String
    {
        scene.verdict(Scene.request(fields, target, method: method))
    }

    @Test
    func aPreflightOfARequestThatTheRouteMatchesPasses() async throws {
        let scene = try await Self.scene()
        #expect(Self.verdict(scene, [Self.origin, Self.asks]) == "anonymous")
        let decision = scene.core.decideNow(Scene.request([Self.origin, Self.asks, ("X-User", "root")], "/orders", method: "OPTIONS"))
        #expect(decision.field("x-user")?.isEmpty == true)
    }

    @Test
    func anotherRequestIsNone() async throws {
        let scene = try await Self.scene()
        for (what, fields, method, expected) in [
            ("another method is asked for", [Self.origin, ("Access-Control-Request-Method", "DELETE")], "OPTIONS", "403 no_route"),
            ("no origin", [Self.asks], "OPTIONS", "403 no_route"),
            ("no method", [Self.origin], "OPTIONS", "403 no_route"),
            ("two methods", [Self.origin, Self.asks, Self.asks], "OPTIONS", "403 no_route"),
            ("two origins", [Self.origin, Self.origin, Self.asks], "OPTIONS", "403 no_route"),
            ("no method at all", [Self.origin, ("Access-Control-Request-Method", "PO ST")], "OPTIONS", "403 no_route"),
            ("the request itself", [Self.origin, Self.asks], "POST", "401 missing_token"),
            ("an override", [Self.origin, Self.asks, ("X-HTTP-Method-Override", "POST")], "OPTIONS", "400 ambiguous_field"),
        ] {
            #expect(Self.verdict(scene, fields, method: method) == expected, "\(what)")
        }
        #expect(Self.verdict(scene, [Self.origin, Self.asks], "/admin") == "401 missing_token")
    }

    @Test
    func aPreflightWithATokenIsJudged() async throws {
        let scene = try await Self.scene()
        for (token, expected) in [("x", "401 malformed_token"), (Scene.token(), "403 insufficient_scope")] {
            #expect(Self.verdict(scene, [Self.origin, Self.asks, ("Authorization", "Bearer \(token)")]) == expected)
        }
        #expect(Self.verdict(scene, [Self.origin, Self.asks, ("Authorization", "Bearer a, Bearer b")]) == "400 several_tokens")
    }
}
