import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing
import TokenStatus

/// What may take the place of a list, and what becomes of tokens when something else comes.
struct InstallGateTests {
    /// A document at the address of a list, and the code of its refusal.
    struct Document: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(_ code: String, _ text: String) {
            testDescription = code
            self.text = text
        }

        init(_ code: String, _ change: (inout TestList) -> Void) { self.init(code, TestList().with(change).token) }
    }

    /// Refused whether or not there is a list.
    static let refused = [
        Document("signature_invalid") { $0.isForged = true },
        Document("subject_mismatch") { $0.uri = "https://status.example/lists/2" },
        Document("other_issuer") { $0.issuer = "https://other.example" },
        Document("list_too_large") { $0.bytes = Array(repeating: 0, count: 1_000_000) },
        Document("expired") { $0.expiration = 1_700_000_000 },
        Document("issued_in_future") { $0.issuedAt = 1_800_000_000 },
        Document("invalid_bits") { $0.bits = 3 },
        Document("type_mismatch", TestList.forge.token(#"{"sub":"\#(TestList.uri)","iat":1700000000}"#)),
        Document("malformed_token", "<html>"), Document("malformed_token", ""),
    ]

    /// Refused because of the list before it.
    static let worse = [
        Document("older_list") { $0.issuedAt -= 1 },
        Document("shrunken_list") { $0.bytes.removeLast() },
        Document("shrunken_list") { $0.bytes = [] },
        Document("other_bits") { $0.bits = 4 },
    ]

    @Test(arguments: refused + worse)
    func aListStaysUntilItsEndWhenSomethingElseComes(document: Document) async throws {
        let observed = try ObservedLists(maximumBytes: 999_999)
        observed.transport.answer(TestList.uri, TestList().token)
        _ = observed.ask()
        await observed.settle()
        observed.transport.answer(TestList.uri, document.text)
        try await observed.refresh()
        let status = try observed.status()
        #expect(status.lastFailure == document.testDescription)
        #expect(status.issuedAt == 1_700_000_000)
        #expect(observed.finding(1) == .invalid)
        // A refusal is no outage: nothing prolongs the lifetime.
        let left = try #require(status.acceptedFor)
        #expect(left > .zero && left <= .seconds(90))
        observed.clock.advance(by: left)
        #expect(observed.ask() == observed.ask(1))
        #expect(observed.finding() == .refusedList)
        #expect(observed.ask().isAdmitted == false)
    }

    @Test(arguments: refused)
    func nothingIsConcludedFromARefusedList(document: Document) async throws {
        let observed = try ObservedLists(.availabilityFirst, maximumBytes: 999_999)
        observed.transport.answer(TestList.uri, document.text)
        #expect(observed.ask().isAdmitted)
        await observed.settle()
        #expect(try observed.status().lastFailure == document.testDescription)
        #expect(try observed.status().bytes == 0)
        #expect(observed.finding() == .refusedList)
        #expect(observed.ask().isAdmitted == false)
    }

    /// What may follow a list.
    static let better = [
        TestList(), TestList(bytes: [1, 1, 2, 3, 255]), TestList(issuedAt: 1_700_000_050),
        TestList(bytes: [1, 1, 2, 3, 255, 0], issuedAt: 1_700_000_050), TestList(issuer: TestList.issuer),
    ]

    @Test(arguments: better.indices)
    func aListThatIsNotOlderAndNotSmallerTakesItsPlace(place: Int) async throws {
        let observed = try await ObservedLists.loaded(), next = Self.better[place]
        observed.transport.answer(TestList.uri, next.token)
        try await observed.refresh()
        #expect(try observed.status().failures == 0)
        #expect(try observed.status().issuedAt == NumericDate(seconds: next.issuedAt))
        #expect(observed.finding() == (next.bytes[0] == 1 ? .invalid : .valid))
        #expect(try observed.status().bytes == next.bytes.count)
    }

    @Test func aRefusalEndsWithTheNextGoodList() async throws {
        let observed = try await ObservedLists.loaded()
        observed.transport.answer(TestList.uri, TestList(isForged: true).token)
        try await observed.refresh()
        observed.transport.answer(TestList.uri, TestList().token)
        try await observed.refresh()
        #expect(try observed.status().lastFailure == nil)
        #expect(try observed.status().acceptedFor == .seconds(3_900))
    }

    /// A refusal and then silence: whoever forged a list and cuts the line gains no time.
    @Test func anOutageAfterARefusalProlongsNothing() async throws {
        let observed = try await ObservedLists.loaded()
        observed.transport.answer(TestList.uri, TestList(isForged: true).token)
        try await observed.refresh()
        observed.transport.answer(TestList.uri, status: 503)
        try await observed.refresh()
        #expect(try #require(try observed.status().acceptedFor) < .seconds(90))
    }

    @Test func anIssuerThatStartsAnewIsForgotten() async throws {
        let observed = try await ObservedLists.loaded()
        observed.transport.answer(TestList.uri, TestList(bits: 1, bytes: [1]).token)
        try await observed.refresh()
        #expect(try observed.status().lastFailure == "other_bits")
        #expect(observed.lists.forget(TestList.uri, of: TestList.issuer))
        #expect(observed.lists.forget(TestList.uri, of: TestList.issuer) == false)
        #expect(observed.finding() == .unknownList)
        await observed.settle()
        #expect(observed.finding() == .invalid)
    }

    /// Two issuers may name one address: each has its own list there, verified by its own keys.
    @Test func listsBelongToTheirIssuers() async throws {
        let transport = ScriptedTransport(), clock = ManualClock()
        transport.answer(TestList.uri, TestList().token)
        let issuers = try [TestList.forge, TestList.forger].enumerated().map {
            try StatusListIssuer("https://idp-\($0).example", origins: ["https://status.example"], keys: $1.keySet)
        }
        let lists = StatusLists(issuers, transport: transport, clock: clock)
        for place in 0..<2 { _ = lists.verdict(index: 0, uri: TestList.uri, issuer: "https://idp-\(place).example") }
        #expect(await settles { lists.statuses.allSatisfy { !$0.isFetching } })
        #expect(lists.verdict(index: 0, uri: TestList.uri, issuer: "https://idp-0.example").finding == .valid)
        #expect(lists.verdict(index: 0, uri: TestList.uri, issuer: "https://idp-1.example").finding == .refusedList)
    }
}
