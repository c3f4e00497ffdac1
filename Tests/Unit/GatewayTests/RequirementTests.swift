import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Which tokens meet a requirement, and which refusal a request gets.
struct RequirementTests {
    private static let a = ("Authorization", "Bearer \(Scene.token("a"))")
    private static let b = ("x-b", Scene.token("b"))
    private static let badA = ("Authorization", "Bearer \(Scene.token("a", "\"nbf\":1800000000"))")
    private static let badB = ("x-b", Scene.token("b", "\"nbf\":1800000000"))

    private static func configuration(_ requirement: Requirement) -> GatewayConfiguration {
        Scene.configuration(requirement) { $0.providers[1].sources = [.header(name: "x-b", prefix: "")] }
    }

    @Test
    func anyNeedsOne() async throws {
        let scene = try await Scene(Self.configuration(.any([.provider("a"), .provider("b")])))
        #expect(scene.verdict(Scene.request([Self.a])) == "allowed")
        #expect(scene.verdict(Scene.request([Self.b])) == "allowed")
        #expect(scene.verdict(Scene.request([])) == "401 missing_token")
        #expect(scene.verdict(Scene.request([Self.badB])) == "401 not_yet_valid")
    }

    @Test
    func allNeedsEach() async throws {
        let scene = try await Scene(Self.configuration(.all([.provider("a"), .provider("b")])))
        #expect(scene.verdict(Scene.request([Self.a, Self.b])) == "allowed")
        #expect(scene.verdict(Scene.request([Self.a])) == "401 missing_token")
        #expect(scene.verdict(Scene.request([Self.b])) == "401 missing_token")
        #expect(scene.verdict(Scene.request([Self.a, Self.badB])) == "401 not_yet_valid")
    }

    @Test
    func aMissingTokenMayBeAllowedAndARefusedOneIsNot() async throws {
        let scene = try await Scene(Self.configuration(.any([.provider("a"), .allowMissing])))
        #expect(scene.verdict(Scene.request([Self.a])) == "allowed")
        #expect(scene.verdict(Scene.request([])) == "anonymous")
        #expect(scene.verdict(Scene.request([Self.badA])) == "401 not_yet_valid")
        #expect(scene.verdict(Scene.request([("Authorization", "Bearer")])) == "401 malformed_token")
        #expect(scene.verdict(Scene.request([Self.a, Self.a])) == "400 several_tokens")
    }

    @Test
    func aRefusedTokenMayBeAllowedAsAnonymousAndIsWithheld() async throws {
        let scene = try await Scene(Self.configuration(.any([.provider("a"), .allowFailed])))
        #expect(scene.verdict(Scene.request([Self.a])) == "allowed")
        #expect(scene.verdict(Scene.request([])) == "anonymous")
        let refused = scene.core.decideNow(Scene.request([Self.badA]), now: Scene.now)
        #expect(refused.word == "waived not_yet_valid")
        #expect(refused.admission?.provider == nil)
        #expect(refused.admission?.removed == ["authorization"])
        #expect(scene.verdict(Scene.request([Self.a, Self.a])) == "400 several_tokens")
    }

    @Test
    func anOptionalTokenBesideARequiredOne() async throws {
        let scene = try await Scene(Self.configuration(.all([.provider("a"), .any([.provider("b"), .allowMissing])])))
        #expect(scene.verdict(Scene.request([Self.a])) == "allowed")
        #expect(scene.verdict(Scene.request([Self.a, Self.b])) == "allowed")
        #expect(scene.verdict(Scene.request([Self.b])) == "401 missing_token")
        #expect(scene.verdict(Scene.request([Self.a, Self.badB])) == "401 not_yet_valid")
    }

    @Test
    func theRefusalThatSaysMostIsReported() async throws {
        let scene = try await Scene(Scene.configuration(.any([.provider("a"), .provider("b")])))
        #expect(scene.verdict(Scene.bearer(Scene.token("b", "\"nbf\":1800000000"))) == "401 not_yet_valid")
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"nbf\":1800000000"))) == "401 not_yet_valid")
        #expect(scene.verdict(Scene.bearer(Scene.token("c"))) == "401 issuer_mismatch")
    }

    @Test
    func aTokenOfAnotherIssuerCausesNoFetch() async throws {
        let scene = try await Scene(Scene.configuration())
        let before = scene.transport.requests.count
        #expect(scene.verdict(Scene.bearer(Scene.token("b"))) == "401 issuer_mismatch")
        #expect(scene.transport.requests.count == before)
    }

    @Test
    func twoProvidersOfOneIssuerShareItsKeysAndNotItsAudience() async throws {
        var second = Scene.provider("a")
        second.name = "a2"
        second.issuer.policy.audiences = ["other"]
        let scene = try await Scene(
            Scene.configuration(.any([.provider("a"), .provider("a2")])) { $0.providers[1] = second })
        #expect(scene.core.issuers.keySets.count == 1)
        #expect(scene.core.decideNow(Scene.bearer(Scene.token()), now: Scene.now).admission?.provider == "a")
        let token = KeyPool.forges[0].token(Scene.payload("a").replacing("\"api\"", with: "\"other\""))
        #expect(scene.core.decideNow(Scene.bearer(token), now: Scene.now).admission?.provider == "a2")
    }

    @Test
    func anOpenRouteReadsNoToken() async throws {
        let scene = try await Scene(Scene.configuration(nil))
        #expect(scene.verdict(Scene.request([])) == "anonymous")
        #expect(scene.verdict(Scene.request([Self.badA, Self.badA])) == "anonymous")
    }

    @Test(arguments: [
        ("\"scope\":\"read write\"", "allowed"), ("\"scp\":[\"write\",\"read\"]", "allowed"), ("\"scp\":\"write read\"", "allowed"),
        ("\"scope\":\"read\",\"scp\":[\"write\"]", "allowed"), ("\"scope\":\"re\\u0061d write\"", "allowed"),
        ("", "403 insufficient_scope"), ("\"scope\":\"read\"", "403 insufficient_scope"),
        ("\"scope\":\"readwrite\"", "403 insufficient_scope"), ("\"scope\":\"READ write\"", "403 insufficient_scope"),
        ("\"scope\":\"read\\twrite\"", "403 insufficient_scope"), ("\"scope\":\"read,write\"", "403 insufficient_scope"),
        ("\"scp\":[\"read write\"]", "403 insufficient_scope"), ("\"scope\":7", "403 insufficient_scope"),
        ("\"scope\":\"  read   write  \"", "allowed"), ("\"scp\":[7,\"read\",null,\"write\"]", "allowed"),
        ("\"scope\":\"re\",\"scp\":[\"ad\",\"write\"]", "403 insufficient_scope"),
        ("\"scp\":[\"read\",\"wri\",\"te\"]", "403 insufficient_scope"),
        ("\"roles\":\"read write\"", "403 insufficient_scope"),
    ])
    func everyScopeOfThePolicyIsNeeded(claims: String, expected: String) async throws {
        let scene = try await Scene(Scene.configuration { $0.policies[0].scopes = ["read", "write"] })
        #expect(scene.verdict(Scene.bearer(Scene.token("a", claims))) == expected)
    }
}
