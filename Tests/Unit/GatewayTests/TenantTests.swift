import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// A provider whose issuer is a template: each tenant that is listed has keys of its own, and no token brings another one.
struct TenantTests {
    private static func settings(_ provider: String = #""tenants": ["red", "blue"], "required": true"#) -> String {
        """
        {
          "providers": [{
            "name": "login", "issuer": "https://login.example/{tenant}/v2.0", "audiences": ["api"],
            "keys": {"url": "https://login.example/{tenant}/keys"},
            "claims": [{"header": "x-issuer", "claim": "iss"}], \(provider)
          }],
          "policies": [{"name": "main", "requires": "login"}],
          "routes": [{"path": "/", "policy": "main"}]
        }
        """
    }

    private static func configuration(_ text: String = settings()) throws -> GatewayConfiguration {
        try GatewaySettings(json: text.utf8.span).configuration
    }

    private static func issuer(_ tenant: String) -> String { "https://login.example/\(tenant)/v2.0" }

    /// A token of a tenant, by the pool's key at `place`.
    private static func token(_ tenant: String, key place: Int) -> String {
        KeyPool.forges[place].token(#"{"iss":"\#(issuer(tenant))","aud":"api","exp":1700003600,"iat":1700000000}"#)
    }

    /// Tenant `red` signs with the pool's first key, `blue` with the second.
    private static func scene(_ text: String = settings(), cache: VerifiedTokenCache? = nil) throws -> Scene {
        try Scene(
            cold: configuration(text), cache: cache,
            answers: [
                "https://login.example/red/keys": KeyPool.set(0), "https://login.example/blue/keys": KeyPool.set(1),
            ])
    }

    private static func readyScene(cache: VerifiedTokenCache? = nil) async throws -> Scene {
        let scene = try scene(cache: cache), issuers = scene.core.issuers
        #expect(await settles { issuers.isReady })
        return scene
    }

    @Test(
        arguments: [
            (token("red", key: 0), "allowed"), (token("blue", key: 1), "allowed"),
            // A key holds within its tenant.
            (token("red", key: 1), "401 unknown_key"), (token("blue", key: 0), "401 unknown_key"),
            (token("green", key: 0), "401 issuer_mismatch"), (token("{tenant}", key: 0), "401 issuer_mismatch"),
            (token("RED", key: 0), "401 issuer_mismatch"), (token("red/../blue", key: 1), "401 issuer_mismatch"),
            (token("", key: 0), "401 issuer_mismatch"),
        ], [false, true])
    func eachTenantHasKeysOfItsOwn(_ token: (text: String, verdict: String), isCached: Bool) async throws {
        let scene = try await Self.readyScene(cache: isCached ? VerifiedTokenCache(budget: 1 << 20) : nil)
        let facts = Scene.bearer(token.text)
        #expect(await scene.core.decide(facts, now: Scene.now).word == token.verdict)
        if token.verdict == "allowed" { #expect(scene.verdict(facts) == "allowed") }
    }

    @Test func theUpstreamLearnsTheTenant() async throws {
        let scene = try await Self.readyScene()
        for (tenant, key) in [("red", 0), ("blue", 1)] {
            let decision = scene.core.decideNow(Scene.bearer(Self.token(tenant, key: key)), now: Scene.now)
            #expect(decision.field("x-issuer") == Self.issuer(tenant))
            #expect(decision.admission?.provider == "login")
        }
    }

    /// The start fetches no keys of tenants.
    @Test func keysAreFetchedWhenATokenNamesTheirTenant() async throws {
        let scene = try Self.scene(Self.settings(#""tenants": ["red", "blue"]"#))
        #expect(scene.core.issuers.isReady)
        #expect(scene.transport.requests.isEmpty)
        #expect(await scene.core.decide(Scene.bearer(Self.token("blue", key: 1)), now: Scene.now).word == "allowed")
        #expect(scene.transport.requests.map(\.url) == ["https://login.example/blue/keys"])
    }

    /// A request waits for its own tenant, whose keys come while those of the first one do not.
    @Test func aRequestWaitsForTheKeysOfItsTenant() async throws {
        let scene = try Self.scene(Self.settings(#""tenants": ["red", "blue"]"#))
        scene.transport.answer("https://login.example/red/keys", .failure(RequestFailure(.timedOut)))
        #expect(await scene.core.decide(Scene.bearer(Self.token("blue", key: 1)), now: Scene.now).word == "allowed")
        let explanation = scene.core.explain(Scene.bearer(Self.token("blue", key: 1)), now: Scene.now)
        #expect(explanation.attempts.first?.generation == 1)
        #expect(explanation.attempts.first?.issuer == Self.issuer("blue"))
    }

    @Test func aNewTenantLeavesTheKeysOfTheOthers() async throws {
        let scene = try await Self.readyScene(), before = scene.transport.requests.count
        scene.transport.answer("https://login.example/green/keys", KeyPool.set(2))
        let more = try Self.configuration(Self.settings(#""tenants": ["green", "red", "blue"], "required": true"#))
        let core = try scene.core.replacing(more), issuers = core.issuers
        #expect(await settles { issuers.isReady })
        #expect(scene.transport.requests.dropFirst(before).map(\.url) == ["https://login.example/green/keys"])
        for (tenant, key) in [("red", 0), ("blue", 1), ("green", 2)] {
            #expect(core.decideNow(Scene.bearer(Self.token(tenant, key: key)), now: Scene.now).word == "allowed")
        }
    }

    @Test func placesNameTheirTenant() throws {
        let more = #""tenants": ["red", "blue"], "storage": "/var/lib/keys/{tenant}.json""#
        let keys = #"{"spiffeBundle": "https://login.example/{tenant}/keys", "failover": [{"file": "/etc/{tenant}.json"}]}"#
        let text = Self.settings(more).replacing(#"{"url": "https://login.example/{tenant}/keys"}"#, with: keys)
        let provider = try #require(try Self.configuration(text).providers.first)
        #expect(provider.issuers.map(\.issuer) == ["red", "blue"].map(Self.issuer))
        #expect(provider.issuers.map(\.source) == ["red", "blue"].map { .spiffeBundle(url: "https://login.example/\($0)/keys") })
        #expect(provider.issuers.map(\.failover) == ["red", "blue"].map { [.file("/etc/\($0).json")] })
        #expect(provider.issuers.map { $0.storage?.path } == ["/var/lib/keys/red.json", "/var/lib/keys/blue.json"])
    }

    @Test(
        arguments: [
            (#""tenants": []"#, "the list is empty"), (#""tenants": ["a/b"]"#, "letters, digits"),
            (#""tenants": [".."]"#, "letters, digits"),
            (#""tenants": ["red", "red"]"#, "has `red` twice"), (#""required": true"#, "needs `tenants`"),
            (#""tenants": ["red", "blue"], "storage": "/var/lib/keys.json""#, "needs `{tenant}` in its name"),
            (#""tenants": ["\#(String(repeating: "x", count: 65))"]"#, "letters, digits"),
        ])
    func whatIsNoListOfTenants(_ settings: String, fault: String) { Self.expect(fault, in: Self.settings(settings)) }

    @Test(
        arguments: [
            ("https://{tenant}.example/v2.0", "has a brace"), ("https://login.example/x{tenant}/v2.0", "has a brace"),
            ("https://login.example/{tenant}/{tenant}", "has a brace"), ("https://login.example/{Tenant}/v2.0", "has a brace"),
            ("https://login.example/v2.0", "is of no use without `{tenant}`"),
        ])
    func whatIsNoTemplate(_ issuer: String, fault: String) {
        Self.expect(fault, in: Self.settings().replacing("https://login.example/{tenant}/v2.0", with: issuer))
    }

    /// A tenant must not choose the machine that is asked for its keys.
    @Test func theHostOfKeysIsFixed() {
        Self.expect(
            "an https or http URL",
            in: Self.settings().replacing("https://login.example/{tenant}/keys", with: "https://{tenant}.example/keys"))
    }

    private static func expect(_ fault: String, in text: String) {
        do throws(SettingsFailure) {
            _ = try GatewaySettings(json: text.utf8.span)
            Issue.record("there is no fault")
        } catch {
            #expect(error.faults.contains { $0.text.contains(fault) }, "\(error.faults)")
        }
    }
}
