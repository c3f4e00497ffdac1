import Gateway
import JWKSTestSupport
import JWTTestSupport
import Testing

/// What is counted, in dry run and by shadows too, and what is said about one decision.
struct CounterTests {
    private static func counts(_ scene: Scene) -> [String] {
        scene.core.counters.counts.map { "\($0.policy ?? "-") \($0.outcome.rawValue) \($0.code ?? "-") \($0.count)" }
    }

    @Test
    func decisionsAreCountedByPolicyOutcomeAndCode() async throws {
        let scene = try await Scene(Scene.configuration { $0.routes = [Route(.prefix("/x"), policy: "main")] })
        #expect(Self.counts(scene).isEmpty)
        for request in [
            Scene.bearer(Scene.token()), Scene.bearer(Scene.token()), Scene.request([]), Scene.bearer("a"), Scene.request([], "/y"),
            Scene.request([], "/../x"), Scene.bearer(Scene.token("b")),
        ] {
            _ = scene.verdict(request)
        }
        #expect(
            Self.counts(scene) == [
                "- denied no_route 1", "- denied ambiguous_path 1", "main allowed - 2", "main denied missing_token 1",
                "main denied malformed_token 1", "main denied issuer_mismatch 1",
            ])
    }

    @Test
    func dryRunAllowsWhatItWouldHaveDeniedAndWithholdsNothing() async throws {
        let scene = try await Scene(
            Scene.configuration {
                $0.policies[0].mode = .dryRun
                $0.policies[0].scopes = ["read"]
                $0.providers[0].claimHeaders = [ClaimHeader("x-user", path: [.member("sub")])]
            })
        let bearer = [("Authorization", "Bearer x"), ("x-user", "root")]
        let decision = scene.core.decideNow(Scene.request(bearer), now: Scene.now)
        #expect(decision.word == "waived malformed_token")
        #expect(decision.admission?.waived?.status == 401)
        #expect(decision.admission?.removed == [])
        #expect(decision.field("x-user") == "")
        #expect(scene.verdict(Scene.request([])) == "waived missing_token")
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "waived insufficient_scope")
        #expect(scene.verdict(Scene.request(bearer + bearer)) == "waived several_tokens")
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"scope\":\"read\""))) == "allowed")
        #expect(
            Self.counts(scene) == [
                "main allowed - 1", "main waived missing_token 1", "main waived several_tokens 1", "main waived insufficient_scope 1",
                "main waived malformed_token 1",
            ])
    }

    @Test
    func aShadowIsCountedAndNeverDecides() async throws {
        let scene = try await Scene(
            Scene.configuration(nil) {
                $0.policies[0].shadow = "strict"
                var strict = GatewayPolicy("strict", requirement: .provider("a"))
                strict.shadow = "stricter"
                var stricter = GatewayPolicy("stricter", requirement: .provider("a"))
                stricter.scopes = ["read"]
                $0.policies += [strict, stricter]
            })
        #expect(scene.verdict(Scene.request([])) == "anonymous")
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "anonymous")
        #expect(
            Self.counts(scene) == [
                "main allowed - 2", "strict shadow_allowed - 1", "strict shadow_denied missing_token 1",
                "stricter shadow_denied missing_token 1", "stricter shadow_denied insufficient_scope 1",
            ])
    }

    @Test
    func noCountIsLostBetweenThreads() async throws {
        let scene = try await Scene(Scene.configuration())
        let core = scene.core
        onThreads(8) { _ in for _ in 0..<1_000 { _ = core.decideNow(Scene.request([]), now: Scene.now) } }
        #expect(Self.counts(scene) == ["main denied missing_token 8000"])
    }

    @Test
    func anExplanationHasTheFactsOfOneDecision() async throws {
        let scene = try await Scene(Scene.configuration(.any([.provider("a"), .provider("b")])))
        scene.clock.advance(by: .seconds(7))
        let accepted = scene.core.explain(Scene.bearer(Scene.token("b")), now: Scene.now).description
        #expect(
            accepted == """
                allowed policy="main" route=1 now=1700000100 \
                [provider="a" code=issuer_mismatch source=authorization kid="key-1" iss="https://b.example" generation=1 keys_age=7s] \
                [provider="b" code=accepted source=authorization kid="key-1" iss="https://b.example" generation=1 keys_age=7s]
                """)
        #expect(scene.core.explain(Scene.request([], "a"), now: Scene.now).description == "denied 400 ambiguous_path now=1700000100")
        #expect(Self.counts(scene).isEmpty)
    }

    @Test
    func anExplanationIsOneSafeLineWithoutTheToken() async throws {
        let scene = try await Scene(Scene.configuration())
        let name = String(repeating: "k", count: 100), claims = Scene.payload("a\\r\\n\\u000f\\u0010\\\" \\u00fc", "\"secret\":\"s3cr3t\"")
        let token = KeyPool.forges[0].token(header: "{\"alg\":\"ES256\",\"kid\":\"\(name)\"}", payload: claims)
        let text = scene.core.explain(Scene.bearer(token), now: Scene.now).description
        #expect(text.contains("kid=\"\(String(repeating: "k", count: 64))...\""))
        #expect(text.contains("iss=\"https://a\\x0d\\x0a\\x0f\\x10\\x22 \\xc3\\xbc.example\""))
        #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
        for part in token.split(separator: ".") { #expect(!text.contains(part)) }
        #expect(!text.contains("s3cr3t"))
        let broken = scene.core.explain(Scene.bearer("%%%.a.b"), now: Scene.now).description
        #expect(broken.contains("code=invalid_base64url source=authorization offset=0"))
    }
}
