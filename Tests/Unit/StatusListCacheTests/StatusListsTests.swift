import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// The cache as a whole, with tasks.
struct StatusListsTests {
    @Test func aThousandAskersCauseOneRequest() async throws {
        let observed = try ObservedLists()
        observed.transport.answer(TestList.uri, TestList().token)
        observed.transport.hold()
        let verdicts = await withTaskGroup(of: StatusVerdict.self) { group in
            for asker in 0..<1_000 {
                group.addTask { await observed.lists.settledVerdict(index: asker % 2, uri: TestList.uri, issuer: TestList.issuer) }
            }
            #expect(await settles { observed.lists.waiterCount == 1_000 })
            observed.transport.release()
            return await group.reduce(into: [StatusFinding: Int]()) { $0[$1.finding, default: 0] += 1 }
        }
        #expect(verdicts == [.valid: 500, .invalid: 500])
        #expect(observed.transport.requests.count == 1)
        #expect(observed.lists.waiterCount == 0)
    }

    @Test func aWaitEndsWithItsBudget() async throws {
        let observed = try ObservedLists()
        observed.transport.answer(TestList.uri, .hang)
        async let verdict = observed.lists.settledVerdict(index: 0, uri: TestList.uri, issuer: TestList.issuer)
        #expect(await settles { observed.lists.waiterCount == 1 })
        observed.clock.advance(by: .milliseconds(150))
        #expect(await verdict.finding == .unknownList)
        observed.transport.release()
    }

    @Test func aCancelledWaitEnds() async throws {
        let observed = try ObservedLists()
        observed.transport.answer(TestList.uri, .hang)
        let task = Task { await observed.lists.settledVerdict(index: 0, uri: TestList.uri, issuer: TestList.issuer) }
        #expect(await settles { observed.lists.waiterCount == 1 })
        task.cancel()
        #expect(await task.value.finding == .unknownList)
        #expect(observed.lists.waiterCount == 0)
        observed.transport.release()
    }

    @Test func aVerdictThatNeedsNoFetchDoesNotWait() async throws {
        let observed = try await ObservedLists.loaded()
        let verdict = await observed.lists.settledVerdict(index: 1, uri: TestList.uri, issuer: TestList.issuer)
        #expect(verdict.finding == .invalid)
        let forbidden = await observed.lists.settledVerdict(index: 1, uri: "https://other.example", issuer: TestList.issuer)
        #expect(forbidden.finding == .forbiddenList)
    }

    @Test func listsAreRefreshedWithoutTokens() async throws {
        let observed = try await ObservedLists.loaded(fields: [HeaderField("ETag", "\"1\"")])
        observed.transport.answer(TestList.uri, status: 304)
        for count in 2..<6 {
            try await observed.refresh()
            #expect(observed.transport.requests.count == count)
        }
        #expect(observed.finding() == .valid)
        #expect(try observed.status().failures == 0)
    }

    @Test func anAnswerThatNeverComesIsGivenUp() async throws {
        let observed = try await ObservedLists.loaded()
        observed.transport.answer(TestList.uri, .hang)
        observed.clock.advance(by: try observed.status().nextFetchIn)
        #expect(await settles { observed.transport.requests.count == 2 })
        observed.clock.advance(by: .seconds(10))
        await observed.settle()
        #expect(try observed.status().lastFailure == "attempt_timed_out")
        #expect(observed.finding() == .valid)
        observed.transport.release()
    }

    @Test func aListWaitsForTheKeysThatVerifyIt() async throws {
        let transport = ScriptedTransport(), clock = ManualClock()
        transport.answer(TestList.uri, TestList().token)
        transport.answer("https://idp.example/jwks", "{\"keys\":[\(TestList.forge.jwk)]}")
        let keys = RemoteKeySet(.jwks(url: "https://idp.example/jwks"), transport: transport, loading: .lazy, clock: clock)
        let issuer = try StatusListIssuer(TestList.issuer, origins: ["https://status.example"], keys: keys)
        let lists = StatusLists([issuer], transport: transport, clock: clock)
        _ = lists.verdict(index: 0, uri: TestList.uri, issuer: TestList.issuer)
        #expect(await settles { lists.statuses.allSatisfy { !$0.isFetching } })
        #expect(lists.verdict(index: 0, uri: TestList.uri, issuer: TestList.issuer).finding == .valid)
        #expect(transport.requests.map(\.url) == [TestList.uri, "https://idp.example/jwks"])
    }

    @Test func missingKeysAreNoRefusal() async throws {
        let transport = ScriptedTransport(), clock = ManualClock()
        transport.answer(TestList.uri, TestList().token)
        let keys = RemoteKeySet(.jwks(url: "https://idp.example/jwks"), transport: transport, loading: .lazy, clock: clock)
        let issuer = try StatusListIssuer(TestList.issuer, origins: ["https://status.example"], keys: keys)
        let lists = StatusLists([issuer], policy: .availabilityFirst, transport: transport, clock: clock)
        _ = lists.verdict(index: 0, uri: TestList.uri, issuer: TestList.issuer)
        #expect(await settles { lists.statuses.allSatisfy { !$0.isFetching } })
        #expect(lists.statuses.map(\.lastFailure) == ["keys_unavailable"])
        #expect(lists.verdict(index: 0, uri: TestList.uri, issuer: TestList.issuer).isAdmitted)
    }

    @Test func aStatusTellsNoSecret() async throws {
        let observed = try ObservedLists(), uri = "https://status.example/1?secret=s3cret"
        observed.transport.answer(uri, TestList(uri: uri).token)
        _ = observed.ask(uri: uri)
        await observed.settle()
        observed.clock.advance(by: .seconds(5))
        let status = try observed.status()
        #expect(status.issuer == TestList.issuer)
        #expect(status.uri == "https://status.example/1")
        #expect(status.issuedAt == 1_700_000_000)
        #expect(status.bytes == 5)
        #expect(status.sinceSuccess == .seconds(5))
        #expect(status.sinceUse == .seconds(5))
        #expect(status.failures == 0)
        #expect(status.lastFailure == nil)
        for text in ["\(status)", "\(observed.lists)", String(reflecting: observed.lists)] { #expect(!text.contains("s3cret")) }
    }

    @Test func aCacheEndsWithItsLastReference() async throws {
        let clock = ManualClock(), transport = ScriptedTransport()
        transport.answer(TestList.uri, TestList().token)
        var lists: StatusLists? = StatusLists(
            [try StatusListIssuer(TestList.issuer, origins: ["https://status.example"], keys: TestList.forge.keySet)],
            transport: transport, clock: clock)
        weak let ended = lists
        _ = lists?.verdict(index: 0, uri: TestList.uri, issuer: TestList.issuer)
        #expect(await settles { ended?.statuses.first?.bytes == 5 })
        lists = nil
        clock.advance(by: .seconds(600))
        #expect(await settles { ended == nil })
    }
}
