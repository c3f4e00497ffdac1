import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// A decider whose keys and status lists a host fetches.
struct HostedStatusListTests {
    private static let uri = "https://status.example/1"

    private static let list = TestList().with {
        $0.uri = uri
        $0.bytes = [0, 1, 2, 3]
        $0.signer = KeyPool.forges[0]
    }

    /// Issuer `a` has its keys.
    private struct Hosted {
        let host = TestHost(start: Scene.now)
        let keys: [ProviderKeys]
        let decider: Decider

        init(_ requirement: Requirement = .provider("a"), _ change: (inout StatusListTerms) -> Void = { _ in }) throws {
            var terms = StatusListTerms(origins: ["https://status.example"])
            change(&terms)
            let configuration = Scene.configuration(requirement) { $0.providers[0].statusLists = terms }
            let host = host
            let sets = configuration.issuers.map {
                HostedKeySet([$0.source], policy: $0.refresh, loading: .eager, host: host, seed: 1)
            }
            keys = sets.map { .hosted($0) }
            let statuses = configuration.statuses(keys, .host(host, seed: 1), continuing: [])
            decider = Decider(configuration, keys: keys, statuses: statuses, revocations: Revocations(), cache: nil)
            let answer = ReceivedResponse(status: 200, body: Array(KeyPool.set(0).utf8))
            #expect(sets[0].receive(.success(answer), to: try #require(sets[0].nextRequest())) == .installed)
        }

        var lists: HostedStatusLists { get throws { try #require(decider.statuses.first?.lists.hosted) } }

        func supply(_ list: TestList) throws -> HostedRequest.Outcome {
            let answer = ReceivedResponse(status: 200, body: Array(list.token.utf8))
            return try lists.receive(.success(answer), to: try #require(try lists.nextRequest()))
        }

        /// `none` for a decision that may change.
        func verdict(_ token: String, waits: Bool = true) -> String {
            var memory = DecisionMemory()
            let request = RequestMemory(Scene.bearer(token))
            guard let verdict = decider.decide(request.view, now: Scene.now, waits: waits, &memory) else { return "none" }
            return verdict.isAllowed ? verdict.reason.map { "waived \($0.code)" } ?? "allowed" : verdict.reason?.code ?? ""
        }
    }

    private static func token(_ index: Int, _ uri: String = uri) -> String {
        Scene.token("a", #""status":{"status_list":{"idx":\#(index),"uri":"\#(uri)"}}"#)
    }

    @Test func aTokenWaitsForItsListAndIsJudgedByIt() throws {
        let hosted = try Hosted()
        #expect(hosted.verdict(Self.token(1)) == "none" && hosted.host.wakes == 1)
        #expect(hosted.verdict(Self.token(1), waits: false) == "status_unavailable")
        #expect(try hosted.supply(Self.list) == .installed)
        #expect((0..<5).map { hosted.verdict(Self.token($0)) } == ["allowed", "revoked", "suspended", "suspended", "invalid_status"])
        #expect(hosted.verdict(Self.token(0, "https://elsewhere.example/1")) == "invalid_status")
        #expect(hosted.verdict(Scene.token()) == "allowed")
        let counts = try #require(hosted.decider.statuses.first).counts.map { "\($0.count) \($0.finding) \($0.isAdmitted)" }
        #expect(
            counts == [
                "1 valid true", "1 invalid false", "1 suspended false", "1 other false", "1 unknown_list false", "1 forbidden_list false",
                "1 beyond_end false",
            ])
    }

    /// Between two attempts at a source that fails, waiting is of no use.
    @Test func aTokenDoesNotWaitForAListThatCannotCome() throws {
        let hosted = try Hosted(), token = Self.token(0)
        #expect(hosted.verdict(token) == "none")
        let request = try #require(try hosted.lists.nextRequest())
        #expect(try hosted.lists.receive(.failure(RequestFailure(.connection)), to: request) == .failed)
        #expect(hosted.verdict(token) == "status_unavailable")
        hosted.host.advance(.seconds(60))
        #expect(hosted.verdict(token) == "none")
        #expect(try hosted.supply(Self.list) == .installed)
        #expect(hosted.verdict(token) == "allowed")
    }

    @Test func aGraceAdmitsWhileTheListIsFetched() throws {
        let hosted = try Hosted { $0.absentGrace = .seconds(30) }
        #expect(hosted.verdict(Self.token(1)) == "allowed")
        #expect(try hosted.supply(Self.list) == .installed)
        #expect(hosted.verdict(Self.token(1)) == "revoked")
    }

    @Test func aRequirementThatAllowsFailuresWaitsToo() throws {
        let hosted = try Hosted(.any([.provider("a"), .allowFailed]))
        #expect(hosted.verdict(Self.token(0)) == "none")
        #expect(hosted.verdict(Self.token(0), waits: false) == "waived status_unavailable")
    }

    @Test func anotherConfigurationKeepsListsWhoseTermsAreTheSame() throws {
        let hosted = try Hosted(), old = hosted.decider.statuses
        var configuration = hosted.decider.configuration
        configuration.policies.append(GatewayPolicy("other", requirement: nil))
        #expect(configuration.statuses(hosted.keys, .host(hosted.host, seed: 2), continuing: old).first === old.first)
        #expect(configuration.statuses(hosted.keys, .host(TestHost(), seed: 1), continuing: old).first !== old.first)
        let otherKeys = Array(hosted.keys.reversed())
        #expect(configuration.statuses(otherKeys, .host(hosted.host, seed: 1), continuing: old).first !== old.first)
        configuration.providers[0].statusLists?.absentGrace = .seconds(1)
        #expect(configuration.statuses(hosted.keys, .host(hosted.host, seed: 1), continuing: old).first !== old.first)
    }
}
