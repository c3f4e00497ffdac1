import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import ReplayMemory
import Testing

/// Tokens of provider `a` pass once.
struct SingleUseTests {
    /// A memory in another place: it answers only those who wait.
    private struct Elsewhere: ReplayMemory {
        var table = ReplayTable(entries: 64)
        var failure: ReplayMemoryError?

        func use(
            _ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate
        ) async throws(ReplayMemoryError) -> ReplayUse {
            if let failure { throw failure }
            return try table.useNow(identifier, until: end, now: now)
        }
    }

    private static func token(_ name: String, _ issuer: String = "a", _ more: String = "") -> String {
        Scene.token(issuer, #""jti":"\#(name)"\#(more)"#)
    }

    private static func scene(
        _ requirement: Requirement? = .provider("a"), _ memory: any ReplayMemory = ReplayTable(entries: 64),
        cache: VerifiedTokenCache? = nil,
        revocations: Revocations = Revocations(), _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) async throws -> Scene {
        let configuration = Scene.configuration(requirement) {
            $0.providers[0].passesOnce = true
            change(&$0)
        }
        return try await Scene(configuration, revocations: revocations, cache: cache, replays: memory)
    }

    private func verdict(_ token: String, _ scene: Scene) async -> String {
        await scene.core.decide(Scene.bearer(token), now: Scene.now).word
    }

    @Test(arguments: [ReplayTable(entries: 64), Elsewhere()] as [any ReplayMemory])
    func aTokenPassesOnce(memory: any ReplayMemory) async throws {
        let scene = try await Self.scene(.provider("a"), memory)
        for name in ["one", "two"] {
            #expect(await verdict(Self.token(name), scene) == "allowed")
            #expect(await verdict(Self.token(name), scene) == "401 replayed")
        }
        // Another token with the same name is the same use.
        #expect(await verdict(Self.token("one", "a", #","scope":"x""#), scene) == "401 replayed")
    }

    @Test func theCacheOfTokensDoesNotAdmitATokenAgain() async throws {
        let scene = try await Self.scene(cache: VerifiedTokenCache(budget: 1 << 20)), token = Self.token("one")
        #expect(await verdict(token, scene) == "allowed")
        for _ in 0..<5 { #expect(await verdict(token, scene) == "401 replayed") }
        for _ in 0..<5 { #expect(scene.verdict(Scene.bearer(token)) == "401 replayed") }
    }

    @Test func theNameCountsWithItsIssuer() async throws {
        let scene = try await Self.scene(.any([.provider("a"), .provider("b")])) { $0.providers[1].passesOnce = true }
        #expect(await verdict(Self.token("one"), scene) == "allowed")
        #expect(await verdict(Self.token("one", "b"), scene) == "allowed")
        #expect(await verdict(Self.token("one", "b"), scene) == "401 replayed")
    }

    @Test func itPassesOnceInWhateverPlaceItComes() async throws {
        let scene = try await Self.scene { $0.providers[0].sources = [.bearer, .query(name: "token")] }, token = Self.token("one")
        #expect(scene.verdict(Scene.request([], "/x?token=\(token)")) == "allowed")
        #expect(scene.verdict(Scene.bearer(token)) == "401 replayed")
    }

    @Test(arguments: [
        ("", "401 missing_claim"), (#""jti":1"#, "401 invalid_claim"), (#""jti":"a","exp":1600000000"#, "401 expired"),
    ])
    func aTokenNeedsANameOfItsOwn(claims: String, verdict: String) async throws {
        let scene = try await Self.scene()
        let token = claims.contains("exp") ? KeyPool.forges[0].token(Self.expired) : Scene.token("a", claims)
        #expect(await self.verdict(token, scene) == verdict)
    }

    private static let expired = #"{"iss":"https://a.example","aud":"api","exp":1600000000,"jti":"a"}"#

    @Test func theUseIsRememberedUntilTheVerifierRefusesTheToken() async throws {
        let scene = try await Self.scene { $0.providers[0].issuer.policy.leeway = .seconds(60) }, facts = Scene.bearer(Self.token("one"))
        #expect(scene.core.decideNow(facts, now: 1_700_003_599).word == "allowed")
        #expect(scene.core.decideNow(facts, now: 1_700_003_659).word == "401 replayed")
        #expect(scene.core.decideNow(facts, now: 1_700_003_660).word == "401 expired")
    }

    /// Two providers may trust one issuer, and a use that one has forgotten must not be the first of the other.
    @Test func theUseIsRememberedForTheLongestLeeway() async throws {
        let scene = try await Self.scene(.any([.provider("a"), .provider("late")])) {
            var late = Provider("late", issuer: $0.providers[0].issuer)
            late.issuer.policy.leeway = .seconds(600)
            late.passesOnce = true
            $0.providers[0].issuer.policy.leeway = .zero
            $0.providers.append(late)
        }
        let facts = Scene.bearer(Self.token("one"))
        #expect(scene.core.decideNow(facts, now: 1_700_003_599).word == "allowed")
        // The first refusal is reported: that of `a`. `late` refuses the replay.
        for now: NumericDate in [1_700_003_700, 1_700_004_199] { #expect(scene.core.decideNow(facts, now: now).word == "401 expired") }
        #expect(scene.core.decideNow(Scene.bearer(Self.token("two")), now: 1_700_004_199).word == "allowed")
    }

    /// A token that is refused for another reason may come again.
    @Test func onlyATokenThatIsAcceptedIsUsed() async throws {
        let revocations = Revocations(), scene = try await Self.scene(revocations: revocations) { $0.policies[0].scopes = ["read"] }
        #expect(await verdict(Self.token("one"), scene) == "403 insufficient_scope")
        #expect(await verdict(Self.token("one", "a", #","scope":"read""#), scene) == "allowed")
        #expect(await verdict(Self.token("one", "a", #","scope":"read""#), scene) == "401 replayed")
    }

    @Test func aRequirementOfTwoTokensUsesNeitherWhereOneIsMissing() async throws {
        let scene = try await Self.scene(.all([.provider("a"), .provider("b")])) { $0.providers[1].sources = [.cookie(name: "b")] }
        let fields = [("Authorization", "Bearer \(Self.token("one"))"), ("Cookie", "b=\(Scene.token("b"))")]
        #expect(scene.verdict(Scene.request([fields[0]])) == "401 missing_token")
        #expect(scene.verdict(Scene.request(fields)) == "allowed")
        #expect(scene.verdict(Scene.request(fields)) == "401 replayed")
    }

    @Test func anAllowanceTakesAReplayAsEveryRefusedToken() async throws {
        let scene = try await Self.scene(.any([.provider("a"), .allowFailed]))
        #expect(await verdict(Self.token("one"), scene) == "allowed")
        #expect(await verdict(Self.token("one"), scene) == "waived replayed")
    }

    @Test func dryRunCountsReplaysAndRefusesNone() async throws {
        let scene = try await Self.scene { $0.policies[0].mode = .dryRun }
        for _ in 0..<3 { _ = await verdict(Self.token("one"), scene) }
        let counts = scene.core.counters.counts.map { "\($0.count) \($0.outcome.rawValue) \($0.code ?? "-")" }
        #expect(counts == ["1 allowed -", "2 waived replayed"])
    }

    @Test func aShadowUsesNothing() async throws {
        let scene = try await Self.scene(.provider("b")) {
            $0.policies.append(GatewayPolicy("other", requirement: .any([.provider("a"), .provider("b")])))
            $0.policies[0].shadow = "other"
        }
        for _ in 0..<2 { #expect(await verdict(Self.token("one"), scene) == "401 issuer_mismatch") }
        let counts = scene.core.counters.counts.map { "\($0.count) \($0.outcome.rawValue)" }
        #expect(counts == ["2 denied", "2 shadow_allowed"])
    }

    @Test func anExplanationUsesNothing() async throws {
        let scene = try await Self.scene(), facts = Scene.bearer(Self.token("one"))
        for _ in 0..<2 { #expect(scene.core.explain(facts, now: Scene.now).decision.word == "allowed") }
        #expect(scene.verdict(facts) == "allowed")
    }

    @Test(arguments: [
        (ReplayMemoryError.Code.unavailable, "503 replay_memory_unavailable"), (.full, "503 replay_memory_unavailable"),
        (.ended, "401 replayed"),
    ])
    func withoutAnAnswerOfTheMemoryNoTokenPasses(code: ReplayMemoryError.Code, verdict: String) async throws {
        let scene = try await Self.scene(.provider("a"), Elsewhere(failure: ReplayMemoryError(code)))
        let denial = await scene.core.decide(Scene.bearer(Self.token("one")), now: Scene.now).denial
        #expect(denial.map { "\($0.status) \($0.reason.code)" } == verdict)
        #expect(denial?.retryAfter == (code == .ended ? nil : .seconds(1)))
        #expect((denial?.challenge != nil) == (code == .ended))
    }

    @Test func aFullTableRefuses() async throws {
        let scene = try await Self.scene(.provider("a"), ReplayTable(entries: 4))
        var words: [String: Int] = [:]
        for number in 0..<12 { words[await verdict(Self.token("\(number)"), scene), default: 0] += 1 }
        #expect(words == ["allowed": 8, "503 replay_memory_unavailable": 4])
    }

    @Test func aCallerThatDoesNotWaitIsRefusedByAMemoryElsewhere() async throws {
        let scene = try await Self.scene(.provider("a"), Elsewhere())
        #expect(scene.verdict(Scene.bearer(Self.token("one"))) == "503 replay_memory_unavailable")
        #expect(await verdict(Self.token("one"), scene) == "allowed")
    }

    @Test func withoutAMemoryTheConfigurationIsRefused() async throws {
        let configuration = Scene.configuration { $0.providers[1].passesOnce = true }
        let fault = #expect(throws: ConfigurationFault.self) { try Scene(cold: configuration) }
        #expect(fault?.code == .noReplayMemory && fault?.path == [.member("providers"), .position(1), .member("passesOnce")])
        let scene = try await Scene(Scene.configuration())
        #expect(throws: ConfigurationFault.self) { try scene.core.replacing(configuration) }
        #expect(throws: Never.self) { try scene.core.replacing(configuration, replays: ReplayTable(entries: 1)) }
    }

    @Test func aNewConfigurationKeepsTheMemory() async throws {
        let scene = try await Self.scene()
        #expect(await verdict(Self.token("one"), scene) == "allowed")
        let next = try scene.core.replacing(scene.core.configuration, replays: ReplayTable(entries: 64))
        #expect(next.decideNow(Scene.bearer(Self.token("one")), now: Scene.now).word == "401 replayed")
    }

    /// A host decides without a core, and would let replays through if it looked at no memory.
    @Test func aDeciderWithoutAMemoryRefuses() async throws {
        let scene = try await Self.scene(), facts = RequestMemory(Scene.bearer(Self.token("one"))), old = scene.core.decider
        let decider = old.replacing(old.configuration, keys: old.keys)
        var memory = DecisionMemory()
        for waits in [true, false] {
            let verdict = decider.decide(facts.view, now: Scene.now, waits: waits, &memory)
            #expect(verdict?.isAllowed == false && verdict?.reason == .replayMemoryUnavailable)
        }
    }

    /// A host that decides again about a request, under another policy, says what that has used.
    @Test func aRequestThatIsJudgedAgainIsNoReplay() async throws {
        let decider = try await Self.scene().core.decider, facts = RequestMemory(Scene.bearer(Self.token("one")))
        var memory = DecisionMemory()
        #expect(decider.decide(facts.view, now: Scene.now, &memory)?.isAllowed == true)
        let used = memory.used
        #expect(used.count == 1)
        #expect(decider.decide(facts.view, now: Scene.now, isKnown: true, &memory)?.isAllowed == true && memory.used == used)
        #expect(decider.decide(facts.view, now: Scene.now, &memory)?.reason == .replayed && memory.used.isEmpty)
        memory.clear()
        memory.admit(used[0])
        #expect(decider.decide(facts.view, now: Scene.now, isKnown: true, &memory)?.isAllowed == true && memory.used == used)
    }

    @Test func ofManyRequestsAtOnceOnePasses() async throws {
        for memory in [ReplayTable(entries: 64), Elsewhere()] as [any ReplayMemory] {
            let scene = try await Self.scene(.provider("a"), memory), facts = Scene.bearer(Self.token("one"))
            let words = await withTaskGroup(of: String.self) { group in
                for _ in 0..<32 { group.addTask { await scene.core.decide(facts, now: Scene.now).word } }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(words == ["allowed": 1, "401 replayed": 31])
        }
    }
}
