import Gateway
import Testing

/// Paths that the gateway, the policy and the upstream could read differently.
struct PathTests {
    /// `/public` is open, `/admin` needs a token, everything else has no route.
    private static func scene(_ change: (inout GatewayConfiguration) -> Void = { _ in }) async throws -> Scene {
        try await Scene(
            Scene.configuration {
                $0.policies.append(GatewayPolicy("open", requirement: nil))
                $0.routes = [
                    Route(.prefix("/public"), policy: "open"), Route(.prefix("/admin"), policy: "main"), Route(.exact("/"), policy: "open"),
                ]
                change(&$0)
            })
    }

    @Test(arguments: [
        ("/public", "anonymous"), ("/public/", "anonymous"), ("/public/a/b.txt", "anonymous"), ("/", "anonymous"),
        ("/?a=/../b", "anonymous"),
        ("/%70ublic/x", "anonymous"), ("/public/%20a", "anonymous"), ("/public/%C3%A4", "anonymous"), ("/public/...", "anonymous"),
        ("/public/.a", "anonymous"), ("/public/a..b", "anonymous"), ("/public/100%25", "anonymous"), ("/public/a%25zz", "anonymous"),
        ("/admin", "401 missing_token"), ("/%61dmin", "401 missing_token"), ("/admin/%2561", "400 ambiguous_path"),
        ("/public/%25%32%65%25%32%65/admin", "400 ambiguous_path"),
        ("/publicity", "403 no_route"), ("/Public", "403 no_route"), ("/ADMIN", "403 no_route"), ("/index", "403 no_route"),
        ("/public/../admin", "400 ambiguous_path"), ("/public/./x", "400 ambiguous_path"), ("/public/..", "400 ambiguous_path"),
        ("/.", "400 ambiguous_path"), ("/..", "400 ambiguous_path"), ("/public/%2e%2e/admin", "400 ambiguous_path"),
        ("/public/.%2E/admin", "400 ambiguous_path"), ("/public/%2e", "400 ambiguous_path"),
        ("/public/%252e%252e/admin", "400 ambiguous_path"), ("/public%2f..%2fadmin", "400 ambiguous_path"),
        ("/public/%2Fadmin", "400 ambiguous_path"), ("/public/%5c..%5cadmin", "400 ambiguous_path"),
        ("/public\\..\\admin", "400 ambiguous_path"), ("/public//admin", "400 ambiguous_path"), ("//admin", "400 ambiguous_path"),
        ("//public.example/x", "400 ambiguous_path"), ("/public//", "400 ambiguous_path"),
        ("/public;/../admin", "400 ambiguous_path"), ("/public/..;/admin", "400 ambiguous_path"), ("/public;a=b", "400 ambiguous_path"),
        ("/public/%3b", "400 ambiguous_path"), ("/public/%00", "400 ambiguous_path"), ("/public/%0d%0a", "400 ambiguous_path"),
        ("/admin%20", "400 ambiguous_path"), ("/public/%2e%2e%20/admin", "400 ambiguous_path"), ("/public/%20", "400 ambiguous_path"),
        ("/public/a%20/", "400 ambiguous_path"), ("/public/%20%20a%20b", "anonymous"),
        ("/public/%7f", "400 ambiguous_path"), ("/public/\u{7f}", "400 ambiguous_path"), ("/public/\u{0}", "400 ambiguous_path"),
        ("/public/a b", "400 ambiguous_path"),
        ("/public/\u{e4}", "400 ambiguous_path"), ("/public/%c0%ae%c0%ae/admin", "400 ambiguous_path"),
        ("/public/%ff", "400 ambiguous_path"), ("/public/%", "400 ambiguous_path"), ("/public/%2", "400 ambiguous_path"),
        ("/public/%zz", "400 ambiguous_path"), ("/public/%u002e", "400 ambiguous_path"), ("/public#/admin", "400 ambiguous_path"),
        ("/public?a#b", "400 ambiguous_path"), ("/public?a b", "400 ambiguous_path"), ("/public?\u{7f}", "400 ambiguous_path"),
        ("", "400 ambiguous_path"), ("public", "400 ambiguous_path"), ("?a", "400 ambiguous_path"),
        ("http://api.example/public", "400 ambiguous_path"), ("*", "400 ambiguous_path"), ("api.example:443", "400 ambiguous_path"),
    ])
    func aPathHasOneReadingOrNone(target: String, expected: String) async throws {
        #expect(try await Self.scene().verdict(Scene.request([], target)) == expected)
    }

    @Test
    func whatAnOperatorPermitsIsDataAndNeverASeparator() async throws {
        let scene = try await Self.scene {
            $0.paths.allowsEncodedSlashes = true
            $0.paths.allowsEmptySegments = true
            $0.paths.allowsParameters = true
            $0.routes.append(Route(.exact("/a;b"), policy: "open"))
        }
        for (target, expected) in [
            ("/public/a%2fb", "anonymous"), ("/public%2Fa", "403 no_route"), ("/admin%2f", "403 no_route"), ("/public//a", "anonymous"),
            ("/public/a;b=c", "anonymous"), ("/public;a", "403 no_route"), ("/a;b", "anonymous"), ("//admin", "403 no_route"),
            ("/public/..;a/admin", "400 ambiguous_path"), ("/public/.;", "400 ambiguous_path"), ("/public/%2e%2e;/x", "400 ambiguous_path"),
            ("/public/%2e%2e%2fadmin", "400 ambiguous_path"), ("/public/a%20;b", "400 ambiguous_path"),
            ("/public/a%20%2fb", "400 ambiguous_path"), ("/public/a%2f%2e%2e", "400 ambiguous_path"),
            ("/public/a%2F.;b%2Fc", "400 ambiguous_path"), ("/public/a%2F..b", "anonymous"), ("/public/%5c", "400 ambiguous_path"),
            ("/public/%252f", "400 ambiguous_path"),
        ] {
            #expect(scene.verdict(Scene.request([], target)) == expected, "\(target)")
        }
    }

    @Test
    func withoutPathConditionsOnlyTheFormCounts() async throws {
        let scene = try await Scene(Scene.configuration(nil))
        for (target, expected) in [
            ("/a/../b//c;d%2f%zz", "anonymous"), ("/a b", "400 ambiguous_path"), ("/a\r\nb", "400 ambiguous_path"),
            ("/\u{e4}", "400 ambiguous_path"), ("/a#b", "400 ambiguous_path"), ("a", "400 ambiguous_path"),
            ("http://x/", "400 ambiguous_path"),
        ] {
            #expect(scene.verdict(Scene.request([], target)) == expected, "\(target)")
        }
    }

    @Test
    func theLongestEncodedPathIsStillMatchedBySegments() async throws {
        let scene = try await Scene(
            Scene.configuration(nil) { $0.routes = [Route(.prefix("/a%20b/c"), policy: "main")] })
        #expect(scene.verdict(Scene.request([], "/a%20b/c/d")) == "anonymous")
        #expect(scene.verdict(Scene.request([], "/a%20b/%63")) == "anonymous")
        #expect(scene.verdict(Scene.request([], "/a%20b/cd")) == "403 no_route")
    }
}
