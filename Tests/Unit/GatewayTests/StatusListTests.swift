import Gateway
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// Tokens that name a place in a status list of their issuer.
struct StatusListTests {
    private static let uri = "https://status.example/1"

    /// Places 0 to 3 are valid, invalid, suspended, and something of an application.
    private static let list = TestList().with {
        $0.uri = uri
        $0.bytes = [0, 1, 2, 3]
        $0.signer = KeyPool.forges[0]
    }

    private static func token(_ index: Int, _ uri: String = uri, _ more: String = "") -> String {
        Scene.token("a", #""status":{"status_list":{"idx":\#(index),"uri":"\#(uri)"}\#(more)}"#)
    }

    /// Keys are loaded, and no list.
    private static func scene(
        _ requirement: Requirement? = .provider("a"), answering list: TestList? = list, cache: VerifiedTokenCache? = nil,
        _ change: (inout StatusListTerms) -> Void = { _ in }
    ) async throws -> Scene {
        var terms = StatusListTerms(origins: ["https://status.example"])
        change(&terms)
        let scene = try await Scene(Scene.configuration(requirement) { $0.providers[0].statusLists = terms }, cache: cache)
        if let list { scene.transport.answer(uri, list.token) }
        return scene
    }

    private func verdict(_ token: String, _ scene: Scene) async -> String {
        await scene.core.decide(Scene.bearer(token), now: Scene.now).word
    }

    @Test(arguments: [
        (token(0), "allowed"), (token(1), "401 revoked"), (token(2), "401 suspended"), (token(3), "401 suspended"),
        (token(4), "401 invalid_status"), (token(0, "https://elsewhere.example/1"), "401 invalid_status"),
        (token(0, "http://status.example/1"), "401 invalid_status"), (token(0, uri, #","other":{}"#), "allowed"),
        (Scene.token(), "allowed"), (Scene.token("a", #""status":{"other":{}}"#), "401 invalid_status"),
        (Scene.token("a", #""status":1"#), "401 invalid_status"), (Scene.token("a", #""status":{}"#), "401 invalid_status"),
        (Scene.token("a", #""status":{"status_list":{"idx":-1,"uri":"\#(uri)"}}"#), "401 invalid_status"),
    ])
    func theListJudges(token: String, verdict: String) async throws {
        let scene = try await Self.scene()
        #expect(await self.verdict(token, scene) == verdict)
        // The second time the list is there.
        #expect(scene.verdict(Scene.bearer(token)) == verdict)
    }

    @Test(arguments: [(1, "401 revoked"), (0, "allowed")])
    func aTokenInTheCacheIsJudgedEachTime(index: Int, verdict: String) async throws {
        let scene = try await Self.scene(cache: VerifiedTokenCache(budget: 1 << 20))
        for _ in 0..<3 { #expect(await self.verdict(Self.token(index), scene) == verdict) }
    }

    @Test func aProviderWithoutTermsLooksAtNoStatus() async throws {
        let scene = try await Scene(Scene.configuration())
        #expect(scene.verdict(Scene.bearer(Self.token(1))) == "allowed")
        #expect(scene.core.statuses.isEmpty)
    }

    @Test func withoutWaitingATokenIsRefusedWhileItsListIsFetched() async throws {
        let scene = try await Self.scene(), facts = Scene.bearer(Self.token(0))
        let denial = scene.core.decideNow(facts, now: Scene.now).denial
        #expect(denial?.status == 503 && denial?.reason == .statusUnavailable && denial?.retryAfter == .seconds(1))
        #expect(denial?.challenge == nil)
        let lists = try #require(scene.core.statuses.first).lists
        #expect(await settles { lists.statuses.allSatisfy { !$0.isFetching } })
        #expect(scene.verdict(facts) == "allowed")
    }

    @Test func aListThatDoesNotComeIsWaitedForOnce() async throws {
        let scene = try await Self.scene()
        scene.transport.hold()
        let lists = try #require(scene.core.statuses.first).lists
        guard case .tasks(let tasks) = lists else { return }
        async let verdict = verdict(Self.token(0), scene)
        #expect(await settles { tasks.waiterCount == 1 })
        scene.clock.advance(by: .seconds(60))
        #expect(await verdict == "503 status_unavailable")
        scene.transport.release()
    }

    /// Each row: whether a list was refused, the graces, and the verdict.
    @Test(arguments: [
        (false, Duration.zero, Duration.zero, "503 status_unavailable"), (false, .seconds(60), .zero, "allowed"),
        (true, .seconds(60), .zero, "503 status_unavailable"), (true, .zero, .seconds(60), "allowed"),
    ])
    func theTermsSayWhatBecomesOfATokenWithoutAList(
        isForged: Bool, absent: Duration, refused: Duration, verdict: String
    ) async throws {
        let scene = try await Self.scene(answering: isForged ? Self.list.with { $0.isForged = true } : nil) {
            $0.absentGrace = absent
            $0.refusedGrace = refused
        }
        _ = await self.verdict(Self.token(0), scene)
        let lists = try #require(scene.core.statuses.first).lists
        #expect(await settles { lists.statuses.allSatisfy { !$0.isFetching && $0.failures > 0 } })
        #expect(scene.verdict(Scene.bearer(Self.token(0))) == verdict)
        // No grace admits what a list can never have.
        #expect(scene.verdict(Scene.bearer(Self.token(0, "https://elsewhere.example/1"))) == "401 invalid_status")
    }

    @Test func aRequirementThatAllowsFailuresAdmitsATokenWithoutItsList() async throws {
        let scene = try await Self.scene(.any([.provider("a"), .allowFailed]), answering: nil)
        #expect(await verdict(Self.token(0), scene) == "waived status_unavailable")
    }

    @Test func findingsAreCounted() async throws {
        let scene = try await Self.scene()
        for index in [0, 0, 1, 4] { _ = await verdict(Self.token(index), scene) }
        let counts = try #require(scene.core.statuses.first).counts.map { "\($0.count) \($0.finding) \($0.isAdmitted)" }
        #expect(counts == ["2 valid true", "1 invalid false", "1 beyond_end false"])
    }

    @Test func aNewConfigurationKeepsListsWhoseTermsAreTheSame() async throws {
        let scene = try await Self.scene()
        #expect(await verdict(Self.token(0), scene) == "allowed")
        var configuration = scene.core.configuration
        configuration.policies.append(GatewayPolicy("other", requirement: nil))
        let same = try scene.core.replacing(configuration)
        #expect(same.statuses.first === scene.core.statuses.first)
        #expect(same.decideNow(Scene.bearer(Self.token(1)), now: Scene.now).word == "401 revoked")
        configuration.providers[0].statusLists?.absentGrace = .seconds(1)
        #expect(try scene.core.replacing(configuration).statuses.first !== scene.core.statuses.first)
    }

    @Test(arguments: [[], [""], ["https://"], ["http://status.example"], ["https://a b"], ["https://user@status.example"]])
    func anOriginThatIsNoneIsAFault(origins: [String]) async throws {
        let configuration = Scene.configuration { $0.providers[0].statusLists = StatusListTerms(origins: origins) }
        let fault = #expect(throws: ConfigurationFault.self) { try Scene(cold: configuration) }
        #expect(fault?.code == .invalidOrigin)
    }

    @Test func httpIsForThisMachineAlone() {
        for text in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1", "https://status.example:8443/path"] {
            #expect(StatusListTerms.isOrigin(text), "\(text)")
        }
        for text in ["http://127.0.0.1.example", "http://localhost:1a", "http://10.0.0.1", "ftp://localhost", "HTTP://localhost"] {
            #expect(!StatusListTerms.isOrigin(text), "\(text)")
        }
    }
}
