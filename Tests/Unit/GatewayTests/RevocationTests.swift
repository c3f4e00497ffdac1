import Gateway
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Tokens that were good and are refused from now on.
struct RevocationTests {
    private static let claims = "\"sub\":\"u1\",\"jti\":\"t1\",\"sid\":\"s1\""

    @Test(arguments: [
        (RevocationList.Subject.keyID("key-0"), true), (.keyID("key-1"), false), (.subject("u1"), true), (.subject("U1"), false),
        (.subject("t1"), false), (.tokenID("t1"), true), (.tokenID("u1"), false), (.sessionID("s1"), true), (.sessionID("s"), false),
        (.issuedBefore(1_700_000_000), false), (.issuedBefore(1_700_000_001), true), (.subject(""), false),
        (.subjectBefore("u1", 1_700_000_001), true), (.subjectBefore("u1", 1_700_000_000), false),
        (.subjectBefore("u2", 1_700_000_001), false), (.subjectBefore("t1", 1_700_000_001), false),
    ])
    func anEntryAppliesToItsOwnMemberOnly(subject: RevocationList.Subject, isRevoked: Bool) async throws {
        for (issuer, applies) in [(nil, true), ("https://a.example", true), ("https://b.example", false)] {
            let entry = RevocationList.Entry(issuer: issuer, subject), added = Revocations()
            added.add([entry])
            for revocations in [Revocations(RevocationList([entry])), added] {
                let scene = try await Scene(Scene.configuration(), revocations: revocations)
                let verdict = scene.verdict(Scene.bearer(Scene.token("a", Self.claims)))
                #expect(verdict == (isRevoked && applies ? "401 revoked" : "allowed"))
            }
        }
    }

    /// Any key may have signed it, so the holder of a revoked key would leave out its name.
    @Test
    func aTokenWithoutAKeyIDIsRevokedWithAnyKeyOfItsIssuer() async throws {
        let token = KeyPool.forges[0].token(header: "{\"alg\":\"ES256\"}", payload: Scene.payload("a"))
        for (issuer, verdict) in [("https://a.example", "401 revoked"), ("https://b.example", "allowed"), (nil, "401 revoked")] {
            let scene = try await Scene(
                Scene.configuration(), revocations: Revocations(RevocationList([.init(issuer: issuer, .keyID("key-9"))])))
            #expect(scene.verdict(Scene.bearer(token)) == verdict)
            #expect(scene.verdict(Scene.bearer(Scene.token())) == "allowed")
        }
    }

    @Test(arguments: [RevocationList.Subject.tokenID("t1"), .subject("u1"), .sessionID("s1")])
    func anEntryDoesNotApplyToATokenWithoutItsMember(subject: RevocationList.Subject) async throws {
        let scene = try await Scene(Scene.configuration(), revocations: Revocations(RevocationList([.init(subject)])))
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "allowed")
    }

    @Test
    func namesAreComparedByTheirBytes() async throws {
        // Two encodings of one letter: U+00E9, and e with U+0301.
        let scene = try await Scene(
            Scene.configuration(), revocations: Revocations(RevocationList([.init(.subject("caf\u{e9}")), .init(.subject("a\"b"))])))
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"sub\":\"caf\u{e9}\""))) == "401 revoked")
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"sub\":\"caf\\u00e9\""))) == "401 revoked")
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"sub\":\"cafe\u{301}\""))) == "allowed")
        #expect(scene.verdict(Scene.bearer(Scene.token("a", "\"sub\":\"a\\\"b\""))) == "401 revoked")
    }

    @Test
    func aTokenWithoutADateIsOlderThanEveryDate() async throws {
        let scene = try await Scene(Scene.configuration(), revocations: Revocations(RevocationList([.init(.issuedBefore(1))])))
        let token = KeyPool.forges[0].token("{\"iss\":\"https://a.example\",\"aud\":\"api\",\"exp\":1700003600}")
        #expect(scene.verdict(Scene.bearer(token)) == "401 revoked")
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "allowed")
        scene.core.revocations.replace(RevocationList([.init(.subjectBefore("u1", 1))]))
        let named = KeyPool.forges[0].token("{\"iss\":\"https://a.example\",\"aud\":\"api\",\"exp\":1700003600,\"sub\":\"u1\"}")
        #expect(scene.verdict(Scene.bearer(named)) == "401 revoked")
        scene.core.revocations.replace(RevocationList([.init(.issuedBefore(5)), .init(.issuedBefore(1_700_000_050))]))
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "401 revoked")
    }

    @Test(arguments: [false, true])
    func aReplacedListAppliesAtOnceAlsoToRememberedTokens(hasCache: Bool) async throws {
        let cache = hasCache ? VerifiedTokenCache(budget: 1 << 20) : nil
        let scene = try await Scene(Scene.configuration(), cache: cache)
        let request = Scene.bearer(Scene.token("a", Self.claims))
        for _ in 0..<3 { #expect(scene.verdict(request) == "allowed") }
        if let cache {
            // While a parallel test forks, the cache keeps no token.
            for _ in 0..<1_000 where cache.statistics.hits == 0 { #expect(scene.verdict(request) == "allowed") }
            #expect(cache.statistics.hits == 1)
        }
        scene.core.revocations.replace(RevocationList([.init(.subject("u1"))]))
        #expect(scene.verdict(request) == "401 revoked")
        scene.core.revocations.replace(RevocationList())
        #expect(scene.verdict(request) == "allowed")
        #expect(scene.core.revocations.list.entries.isEmpty)
    }

    @Test
    func aCacheRemembersNoVerdictOfAnotherProvider() async throws {
        let cache = VerifiedTokenCache(budget: 1 << 20)
        let scene = try await Scene(
            Scene.configuration {
                $0.policies.append(GatewayPolicy("b", requirement: .provider("b")))
                $0.routes.insert(Route(.prefix("/b"), policy: "b"), at: 0)
            }, cache: cache)
        let token = Scene.token()
        for _ in 0..<3 { #expect(scene.verdict(Scene.bearer(token)) == "allowed") }
        #expect(scene.verdict(Scene.bearer(token, "/b")) == "401 issuer_mismatch")
    }

    @Test
    func listsAreReplacedWhileTokensAreJudged() async throws {
        let scene = try await Scene(Scene.configuration())
        let request = Scene.bearer(Scene.token("a", Self.claims)), core = scene.core
        let verdicts = Guarded<Set<String>>([])
        onThreads(4) { thread in
            for round in 0..<500 {
                if thread == 0 {
                    core.revocations.replace(RevocationList(round.isMultiple(of: 2) ? [.init(.subject("u1"))] : []))
                } else {
                    let word = core.decideNow(request, now: Scene.now).word
                    verdicts.withLock { _ = $0.insert(word) }
                }
            }
        }
        #expect(verdicts.withLock { $0 }.isSubset(of: ["allowed", "401 revoked"]))
    }
}
