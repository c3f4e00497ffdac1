import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Status, challenge and `Retry-After` of a refusal.
struct DenialTests {
    private static func policy() -> GatewayPolicy {
        var policy = GatewayPolicy("main", requirement: .provider("a"))
        policy.scopes = ["read", "write"]
        policy.realm = "the \"api\""
        policy.resourceMetadata = "https://api.example/.well-known/oauth-protected-resource"
        return policy
    }

    private static let metadata = ", resource_metadata=\"https://api.example/.well-known/oauth-protected-resource\""

    @Test
    func eachRefusalHasItsStatusAndChallenge() async throws {
        let scene = try await Scene(
            Scene.configuration { $0.policies = [Self.policy()] }, revocations: Revocations(RevocationList([.init(.subject("gone"))])))
        let realm = "Bearer realm=\"the \\\"api\\\"\"", expired = Scene.token("a", "\"nbf\":1800000000")
        for (request, status, challenge) in [
            (Scene.request([]), 401, "\(realm), scope=\"read write\"\(Self.metadata)"),
            (
                Scene.bearer(expired), 401,
                "\(realm), error=\"invalid_token\", error_description=\"the token is not valid yet\"\(Self.metadata)"
            ),
            (
                Scene.bearer(Scene.token("a", "\"sub\":\"gone\"")), 401,
                "\(realm), error=\"invalid_token\", error_description=\"the token has been revoked\"\(Self.metadata)"
            ),
            (
                Scene.bearer(Scene.token()), 403,
                "\(realm), error=\"insufficient_scope\", error_description=\"the token lacks a scope\", scope=\"read write\"\(Self.metadata)"
            ),
            (
                Scene.request([("Authorization", "Bearer a"), ("Authorization", "Bearer a")]), 400,
                "\(realm), error=\"invalid_request\", error_description=\"more than one token\"\(Self.metadata)"
            ),
            (Scene.request([], "/a b"), 400, nil), (Scene.request(method: "x"), 400, nil),
        ] as [(RequestFacts, Int, String?)] {
            let denial = scene.core.decideNow(request, now: Scene.now).denial
            #expect(denial?.status == status)
            #expect(denial?.challenge == challenge)
            #expect(denial?.retryAfter == nil)
        }
    }

    @Test
    func aBareChallengeNamesTheMetadataAlone() async throws {
        let scene = try await Scene(Scene.configuration { $0.policies[0].resourceMetadata = "https://api.example/m" })
        let denial = scene.core.decideNow(Scene.request([]), now: Scene.now).denial
        #expect(denial?.challenge == "Bearer resource_metadata=\"https://api.example/m\"")
        let plain = try await Scene(Scene.configuration())
        #expect(plain.core.decideNow(Scene.request([]), now: Scene.now).denial?.challenge == "Bearer")
    }

    @Test
    func anOldAuthenticationAsksForANewOne() async throws {
        let scene = try await Scene(Scene.configuration { $0.providers[0].issuer.policy.contextClasses = ["mfa"] })
        let denial = scene.core.decideNow(Scene.bearer(Scene.token("a", "\"acr\":\"pwd\"")), now: Scene.now).denial
        #expect(denial?.status == 401)
        #expect(denial?.challenge?.hasPrefix("Bearer error=\"insufficient_user_authentication\"") == true)
    }

    /// Once the newest fetch for a token has failed, the core does not say that the token's key does not exist.
    @Test
    func aNewKeyOfAFailingIssuerIsToldWhenToComeAgain() async throws {
        let scene = try await Scene(Scene.configuration())
        scene.transport.answer("https://a.example/jwks", status: 500)
        for name in ["new", "new", "other", "third"] {
            let token = KeyPool.forges[0].token(header: "{\"alg\":\"ES256\",\"kid\":\"\(name)\"}", payload: Scene.payload("a"))
            let denial = scene.core.decideNow(Scene.bearer(token), now: Scene.now).denial
            #expect(denial?.reason.code == "keys_unavailable")
            #expect(denial?.retryAfter != nil, "\(name)")
            _ = await settles { !scene.core.issuers.keySets[0].status.isFetching }
        }
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "allowed")
    }

    @Test
    func missingKeysAreNotTheTokensFault() async throws {
        let scene = try Scene(cold: Scene.configuration(), isPublished: false)
        _ = await settles { scene.core.issuers.keySets[0].status.failures >= 1 }
        let denial = await scene.core.decide(Scene.bearer(Scene.token()), now: Scene.now).denial
        #expect(denial?.reason.code == "keys_unavailable")
        #expect(denial?.status == 503)
        #expect(denial?.challenge == nil)
        let seconds = try #require(denial?.retryAfter?.components.seconds)
        #expect((1...60).contains(seconds))
        #expect(scene.verdict(Scene.bearer(Scene.token("b"))) == "401 issuer_mismatch")
        #expect(scene.verdict(Scene.request([])) == "401 missing_token")
    }

    /// A sender should try again where one of its tokens may pass then, whatever is wrong with the other.
    @Test(arguments: [["a", "b"], ["b", "a"]])
    func missingKeysSayMoreThanABadSignature(order: [String]) async throws {
        let scene = try Scene(
            cold: Scene.configuration(.any(order.map { .provider($0) })) {
                $0.providers[1].sources = [.header(name: "x-b", prefix: "")]
            }, isPublished: false)
        scene.transport.answer("https://a.example/jwks", KeyPool.set(0))
        _ = await settles { scene.core.issuers.keySets.allSatisfy { $0.isReady || $0.status.failures >= 1 } }
        let forged = TokenForge(.es256, keyID: "key-0").token(Scene.payload("a"))
        let request = Scene.request([("Authorization", "Bearer \(forged)"), ("x-b", Scene.token("b"))])
        #expect(scene.verdict(Scene.request([("Authorization", "Bearer \(forged)")])) == "401 signature_invalid")
        #expect(scene.verdict(request) == "503 keys_unavailable")
    }

    @Test
    func missingKeysOfAnOptionalTokenMakeTheRequestAnonymous() async throws {
        let scene = try Scene(cold: Scene.configuration(.any([.provider("a"), .allowFailed])), isPublished: false)
        _ = await settles { scene.core.issuers.keySets[0].status.failures >= 1 }
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "waived keys_unavailable")
    }
}

/// Requests that wait for keys.
@Suite(.timeLimit(.minutes(10)))
struct WaitingTests {
    @Test
    func aDecisionWaitsForKeysThatAreBeingFetched() async throws {
        let scene = try Scene(cold: Scene.configuration())
        #expect(await scene.core.decide(Scene.bearer(Scene.token()), now: Scene.now).word == "allowed")
    }

    @Test
    func aDecisionWaitsForARotatedKeyAndNotForJunk() async throws {
        let scene = try await Scene(Scene.configuration())
        scene.transport.answer("https://a.example/jwks", KeyPool.set(0, 2))
        let token = KeyPool.forges[2].token(Scene.payload("a"))
        #expect(await scene.core.decide(Scene.bearer(token), now: Scene.now).word == "allowed")
        let junk = KeyPool.forges[3].token(Scene.payload("a"))
        #expect(await scene.core.decide(Scene.bearer(junk), now: Scene.now).word == "401 unknown_key")
    }

    @Test
    func eachOfTwoTokensWaitsForItsKeys() async throws {
        let scene = try Scene(
            cold: Scene.configuration(.all([.provider("a"), .provider("b")])) {
                $0.providers[1].sources = [.header(name: "x-b", prefix: "")]
            })
        let request = Scene.request([("Authorization", "Bearer \(Scene.token("a"))"), ("x-b", Scene.token("b"))])
        #expect(await scene.core.decide(request, now: Scene.now).word == "allowed")
    }

    @Test
    func anOptionalTokenWaitsForItsKeysBeforeItCountsAsRefused() async throws {
        let scene = try Scene(cold: Scene.configuration(.any([.provider("a"), .allowFailed])))
        #expect(await scene.core.decide(Scene.bearer(Scene.token()), now: Scene.now).word == "allowed")
    }

    @Test
    func onlyMissingKeysKeepADecisionFromEndingAtOnce() async throws {
        let scene = try await Scene(Scene.configuration())
        scene.transport.answer("https://a.example/jwks", KeyPool.set(0, 2))
        for facts in [Scene.bearer(Scene.token()), Scene.request([]), Scene.bearer("x"), Scene.request([], "//")] {
            guard case .decided = scene.core.begin(facts, now: Scene.now) else {
                Issue.record("\(facts) waits")
                continue
            }
        }
        let rotated = Scene.bearer(KeyPool.forges[2].token(Scene.payload("a")))
        guard case .waiting(let pending) = scene.core.begin(rotated, now: Scene.now) else {
            Issue.record("a rotated key is not waited for")
            return
        }
        #expect(await scene.core.decide(pending).word == "allowed")
    }

    @Test
    func aDecisionThatWaitsIsCountedOnce() async throws {
        let scene = try Scene(cold: Scene.configuration())
        guard case .waiting(let pending) = scene.core.begin(Scene.bearer(Scene.token()), now: Scene.now) else {
            Issue.record("missing keys are not waited for")
            return
        }
        #expect(scene.core.counters.counts.isEmpty)
        #expect(await scene.core.decide(pending).word == "allowed")
        #expect(scene.core.counters.counts.map(\.count) == [1])
    }

    @Test
    func aReplacedConfigurationKeepsKeysCountersAndRevocations() async throws {
        let scene = try await Scene(Scene.configuration())
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "allowed")
        let fetches = scene.transport.requests.count
        let next = try scene.core.replacing(
            Scene.configuration {
                $0.policies[0].scopes = ["read"]
                $0.policies.append(GatewayPolicy("more", requirement: nil))
            })
        #expect(next.decideNow(Scene.bearer(Scene.token()), now: Scene.now).word == "403 insufficient_scope")
        #expect(next.decideNow(Scene.bearer(Scene.token("a", "\"scope\":\"read\"")), now: Scene.now).word == "allowed")
        #expect(scene.transport.requests.count == fetches)
        #expect(next.counters.counts.first { $0.policy == "main" && $0.outcome == .allowed }?.count == 2)
        #expect(next.revocations === scene.core.revocations)
        #expect(throws: ConfigurationFault.self) { try scene.core.replacing(Scene.configuration { $0.routes = [] }) }
    }
}
