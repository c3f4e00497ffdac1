import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// Which addresses in tokens are requested: those of origins that the configuration names, and no others.
struct ListAddressTests {
    @Test(arguments: [
        "http://status.example/1", "https://other.example/1", "https://status.example.evil.example/1", "https://evil-status.example/1",
        "https://status.example:8443/1", "https://status.example:0443/1", "https://status.example./1", "https://user@status.example/1",
        "https://status.example@evil.example/1", "https://status.example:443@evil.example/1", "https://evil.example/@status.example/",
        "https://evil.example\\@status.example/1", "https://status.example\\.evil.example/1", "https://status.example#@evil.example/",
        "https://status.example/1#part", "https://status.example /1", "https://status.example\n/1", "https://status.ex%61mple/1",
        "https://127.0.0.1/1", "https://10.0.0.1/1", "https://169.254.169.254/latest/meta-data", "https://[::1]/1", "https://[fd00::1]/1",
        "https://0x7f000001/1", "https://2130706433/1", "https://localhost/1", "https://", "https:///1", "https://:443/1",
        "HTTPS://evil.example", "//status.example/1", "/1", "1", "", "file:///etc/passwd", "ftp://status.example/1",
        "https://st\u{e4}tus.example/1",
    ])
    func anAddressOfAnotherOriginIsNeverRequested(uri: String) throws {
        let observed = try ObservedLists(.availabilityFirst)
        #expect(observed.finding(uri: uri) == .forbiddenList)
        #expect(observed.ask(uri: uri).isAdmitted == false)
        #expect(observed.transport.requests.isEmpty)
        #expect(observed.lists.statuses.isEmpty)
    }

    @Test(arguments: [
        "https://status.example", "https://status.example/", "https://status.example/lists/1?a=b&c=%20", "https://status.example?x",
        "https://STATUS.example/1", "https://status.example:443/1", "https://status.example:8443/1", "https://10.0.0.1/1",
        "https://[fd00::1]:444/1",
    ])
    func anAddressOfAPermittedOriginIsRequested(uri: String) async throws {
        let origins = [
            "https://Status.example/", "https://status.example:8443", "https://10.0.0.1", "https://[FD00::1]:444",
            "https://other.example/a",
        ]
        let observed = try ObservedLists(origins: origins)
        observed.transport.answer(uri, TestList(uri: uri).token)
        #expect(observed.finding(uri: uri) == .unknownList)
        await observed.settle()
        #expect(observed.finding(uri: uri) == .valid)
        #expect(observed.transport.requests.map(\.url) == [uri])
    }

    @Test(arguments: [
        "http://status.example", "status.example", "https://", "https://a b", "https://user@status.example", "https://a#b", "",
    ])
    func aConfigurationWithoutAnOriginIsRefused(origin: String) {
        #expect(throws: RequestFailure.self) {
            try StatusListIssuer(TestList.issuer, origins: [origin], keys: TestList.forge.keySet)
        }
    }

    /// The transport judges the addresses of a permitted name: it may lead to this machine's network.
    @Test func aPrivateAddressBehindAPermittedNameIsAFailure() async throws {
        let observed = try ObservedLists()
        observed.transport.answer(TestList.uri, .failure(RequestFailure(.forbiddenAddress)))
        _ = observed.ask()
        await observed.settle()
        #expect(observed.finding() == .unknownList)
        #expect(observed.ask().isAdmitted == false)
        #expect(try observed.status().lastFailure == "fetch_forbidden_address")
    }

    @Test func anAddressThatIsTooLongIsNeverRequested() throws {
        let driven = try DrivenLists(), start = "https://status.example/"
        let longest = start + String(repeating: "a", count: 2_048 - start.utf8.count)
        #expect(driven.ask(longest + "a").order == nil)
        #expect(driven.finding(longest + "a") == .forbiddenList)
        #expect(driven.ask(longest).order?.uri == longest)
    }

    @Test func aRequestAsksForAStatusListAndIsConditionalIfThereIsOne() async throws {
        let fields = [HeaderField("ETag", "\"7\""), HeaderField("Last-Modified", "Tue, 14 Nov 2023 22:00:00 GMT")]
        let observed = try await ObservedLists.loaded(TestList(), fields: fields)
        try await observed.refresh()
        let requests = observed.transport.requests
        #expect(requests.map { $0.first("Accept") } == ["application/statuslist+jwt", "application/statuslist+jwt"])
        #expect(requests.map(\.entityTag) == [nil, "\"7\""])
        #expect(requests.map(\.lastModified) == [nil, "Tue, 14 Nov 2023 22:00:00 GMT"])
    }

    @Test func a304WithoutAListIsAFailure() async throws {
        let observed = try ObservedLists()
        observed.transport.answer(TestList.uri, status: 304)
        _ = observed.ask()
        await observed.settle()
        #expect(try observed.status().lastFailure == "unexpected_not_modified")
        #expect(observed.finding() == .unknownList)
    }
}
