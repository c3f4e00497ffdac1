import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// Lists that a host fetches: what it is asked for, and what tokens are told meanwhile.
struct HostedStatusListsTests {
    @Test func aTokenOrdersItsListOnceAndWakesTheHost() throws {
        let hosted = try HostedLists()
        #expect(hosted.lists.nextRequest() == nil && hosted.lists.nextDue > .seconds(60))
        for _ in 0..<1_000 { #expect(hosted.finding() == .unknownList) }
        #expect(hosted.host.wakes == 1 && hosted.lists.nextDue == .zero)
        let request = try #require(hosted.lists.nextRequest())
        #expect(request.document.url == TestList.uri && request.document.first("Accept") == "application/statuslist+jwt")
        #expect(hosted.lists.nextRequest() == nil && hosted.lists.nextDue > .zero)
        #expect(hosted.lists.receive(HostedLists.response(TestList().token), to: request) == .installed)
        #expect(hosted.host.wakes == 1)
        #expect((0..<6).map { hosted.finding($0) } == [.valid, .invalid, .suspended, .other(3), .other(255), .beyondEnd])
        #expect(hosted.lists.receive(HostedLists.response(TestList().token), to: request) == .ended)
    }

    /// A forked child has no thread that could bring the answer to what the parent handed out.
    @Test func aFetchUnderWayBeginsAgainAndASecondAnswerToItDoesNothing() throws {
        let hosted = try HostedLists()
        _ = hosted.ask()
        let lost = try #require(hosted.lists.nextRequest())
        hosted.lists.beginAgain()
        #expect(hosted.lists.nextDue == .zero)
        let again = try #require(hosted.lists.nextRequest())
        #expect(again.document.url == TestList.uri && hosted.lists.nextRequest() == nil)
        #expect(hosted.lists.receive(HostedLists.response(TestList().token), to: again) == .installed)
        #expect(hosted.lists.receive(HostedLists.response(TestList().token), to: lost) == .ended)
        hosted.lists.beginAgain()
        #expect(hosted.lists.nextRequest() == nil && hosted.finding(1) == .invalid)
    }

    @Test func aListIsFetchedAgainOnTheHostsTimer() throws {
        let hosted = try HostedLists()
        _ = hosted.ask()
        #expect(try hosted.supply(fields: [HeaderField("ETag", "\"1\"")]) == .installed)
        let request = try hosted.nextRequest()
        #expect(request.document.first("If-None-Match") == "\"1\"")
        #expect(hosted.lists.receive(HostedLists.response(status: 304), to: request) == .installed)
        #expect(try hosted.supply(TestList().with { $0.bytes[0] = 1 }) == .installed)
        #expect(hosted.finding() == .invalid)
        // Nobody but the first token has woken the host.
        #expect(hosted.host.wakes == 1)
    }

    @Test(arguments: [
        (HostedLists.response(status: 404), "status"), (HostedLists.response(status: 304), "unexpected_not_modified"),
        (HostedLists.response("<html>"), "malformed_token"), (.failure(RequestFailure(.connection)), "fetch_connection"),
        (.failure(RequestFailure(.cancelled)), "fetch_cancelled"),
        (HostedLists.response(TestList(isForged: true).token), "signature_invalid"),
    ])
    func whatIsNoListFails(answer: Result<ReceivedResponse, RequestFailure>, code: String) throws {
        let hosted = try HostedLists()
        _ = hosted.ask()
        #expect(hosted.lists.receive(answer, to: try #require(hosted.lists.nextRequest())) == .failed)
        #expect(try hosted.status().lastFailure == code)
        #expect(hosted.ask().isAdmitted == false)
        // A pause, and then a token causes the next fetch.
        #expect(hosted.lists.nextRequest() == nil)
        hosted.host.advance(.seconds(60))
        #expect(hosted.lists.nextRequest() == nil)
        _ = hosted.ask()
        #expect(try hosted.supply() == .installed)
        #expect(hosted.finding(1) == .invalid)
    }

    /// The list is signed with a key that is newer than the set.
    @Test func aListThatLacksAKeyIsFetchedAgainWhenKeysHaveCome() throws {
        let hosted = try HostedLists(areKeysThere: false)
        #expect(try hosted.supplyKeys(KeyPool.set(0)) == .installed)
        hosted.host.advance(.seconds(30))
        #expect(hosted.finding() == .unknownList)
        #expect(try hosted.supply() == .failed)
        #expect(try hosted.status().lastFailure == "keys_unavailable")
        #expect(hosted.lists.mayCome(TestList.uri, of: TestList.issuer))
        #expect(hosted.ask().finding == .unknownList && hosted.lists.nextRequest() == nil)
        // The unknown key has made a fetch of the keys due.
        #expect(try hosted.supplyKeys() == .installed)
        #expect(hosted.lists.nextDue == .zero)
        _ = hosted.ask()
        #expect(try hosted.supply() == .installed)
        #expect(hosted.finding() == .valid && hosted.finding(1) == .invalid)
    }

    @Test func aListThatWasThereIsFetchedAgainWithoutATokenWhenKeysHaveCome() throws {
        let hosted = try HostedLists()
        _ = hosted.ask()
        #expect(try hosted.supply() == .installed)
        hosted.host.advance(.seconds(30))
        #expect(try hosted.supply(TestList().with { $0.signer = KeyPool.forges[0] }) == .failed)
        #expect(hosted.finding(1) == .invalid)
        let set = #"{"keys":[\#(TestList.forge.jwk),\#(KeyPool.forges[0].jwk)]}"#
        #expect(try hosted.supplyKeys(set) == .installed)
        #expect(hosted.lists.nextDue == .zero)
        #expect(try hosted.supply(TestList().with { $0.signer = KeyPool.forges[0] }) == .installed)
    }

    @Test func withoutKeysAListIsTriedAgainAfterItsPause() throws {
        let hosted = try HostedLists(areKeysThere: false)
        _ = hosted.ask()
        #expect(try hosted.supply() == .failed)
        // No refusal: the list was not judged.
        #expect(hosted.finding() == .unknownList)
        hosted.host.advance(.seconds(60))
        _ = hosted.ask()
        #expect(try hosted.supply() == .failed)
        #expect(try hosted.status().failures == 2)
    }

    @Test func anAnswerThatComesTooLateIsUsedUntilALaterOneHasCome() throws {
        let hosted = try HostedLists()
        _ = hosted.ask()
        let first = try #require(hosted.lists.nextRequest())
        hosted.host.advance(.seconds(11))
        #expect(hosted.lists.nextRequest() == nil)
        #expect(try hosted.status().lastFailure == "attempt_timed_out")
        hosted.host.advance(.seconds(60))
        _ = hosted.ask()
        let second = try #require(hosted.lists.nextRequest())
        #expect(hosted.lists.receive(.failure(RequestFailure(.timedOut)), to: first) == .ended)
        #expect(hosted.lists.receive(HostedLists.response(TestList().token), to: second) == .installed)
        #expect(hosted.lists.receive(HostedLists.response(TestList().with { $0.bytes[0] = 1 }.token), to: first) == .ended)
        #expect(hosted.finding() == .valid)
    }

    @Test(arguments: ["https://other.example/1", "http://status.example/1", "https://status.example@evil.example/1", ""])
    func anAddressOfAnotherOriginIsNeverHandedOut(uri: String) throws {
        let hosted = try HostedLists()
        #expect(hosted.finding(0, uri) == .forbiddenList)
        #expect(hosted.lists.nextRequest() == nil && hosted.host.wakes == 0)
        #expect(hosted.lists.mayCome(uri, of: TestList.issuer) == false)
    }

    /// A host's client need not take what an origin permits.
    @Test func anAddressThatIsNoPlainURLFails() throws {
        let hosted = try HostedLists(), uri = "https://status.example/a|b"
        #expect(hosted.finding(0, uri) == .unknownList)
        #expect(hosted.lists.nextRequest() == nil)
        #expect(try hosted.status().lastFailure == "fetch_invalid_url")
    }

    @Test func aFloodOfAddressesMakesAFewRequests() throws {
        let hosted = try HostedLists()
        for number in 0..<1_000 { _ = hosted.ask(0, "https://status.example/\(number)") }
        var count = 0
        while hosted.lists.nextRequest() != nil { count += 1 }
        #expect(count == 4 && hosted.host.wakes == 4)
    }

    @Test func theHostIsReleasedWithTheLists() throws {
        let host = TestHost()
        do { _ = HostedStatusLists([], host: host) }
        #expect(host.releases == 1)
    }
}
