import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// What a list at hand says of a token.
struct StatusFindingTests {
    @Test(arguments: [
        (0, StatusFinding.valid, true), (1, .invalid, false), (2, .suspended, false), (3, .other(3), false), (4, .other(255), false),
        (5, .beyondEnd, false), (Int.max, .beyondEnd, false), (-1, .beyondEnd, false),
    ])
    func eachStatus(index: Int, finding: StatusFinding, isAdmitted: Bool) async throws {
        let observed = try await ObservedLists.loaded()
        #expect(observed.ask(index).finding == finding)
        #expect(observed.ask(index).isAdmitted == isAdmitted)
    }

    /// No grace concerns a place that the list does not have.
    @Test func aPlaceBeyondTheEndIsRefusedUnderEveryPolicy() async throws {
        var policy = StatusListPolicy.availabilityFirst
        policy.refusedGrace = .seconds(60)
        let observed = try await ObservedLists.loaded(TestList(), policy)
        #expect(observed.ask(5).isAdmitted == false)
    }

    @Test(arguments: [(1, 8), (2, 4), (4, 2), (8, 1)])
    func eachSize(bits: Int, perByte: Int) async throws {
        let observed = try await ObservedLists.loaded(TestList(bits: bits, bytes: [0, 1]))
        #expect(observed.finding(perByte - 1) == .valid)
        #expect(observed.finding(perByte) == .invalid)
        #expect(observed.finding(2 * perByte) == .beyondEnd)
    }

    @Test(arguments: ["https://other.example", "https://idp.example/", "", "https://IDP.example"])
    func anIssuerThatIsNotInTheMap(issuer: String) async throws {
        let observed = try await ObservedLists.loaded()
        #expect(observed.ask(issuer: issuer) == observed.lists.verdict(index: 0, uri: "", issuer: issuer))
        #expect(observed.ask(issuer: issuer).finding == .forbiddenList)
    }

    /// The way of a server: from the claims of a verified token, whose address is written with escapes.
    @Test(arguments: [("https://status.example/lists/1", "valid"), (#"https:\/\/status.example\/lists\/1"#, "valid")])
    func theReferenceOfAVerifiedToken(uri: String, expected: String) async throws {
        let observed = try await ObservedLists.loaded()
        let token = TestList.forge.token(
            #"{"iss":"https://idp.example","exp":1700003600,"status":{"status_list":{"idx":0,"uri":"\#(uri)"}}}"#)
        let verifier = TokenVerifier(keys: TestList.forge.keySet, policy: .lenient)
        var finding = ""
        try verifier.withVerified(token, now: TokenForge.now) { claims in
            guard let issuer = claims.issuer, case .statusList(let reference)? = try? claims.status else { return }
            finding = observed.lists.verdict(of: reference, issuer: issuer).finding.code
        }
        #expect(finding == expected)
        #expect(observed.transport.requests.count == 1)
    }
}
