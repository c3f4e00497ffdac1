import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// The issuer of a token, and the keys and the policy it is judged by.
struct TrustedIssuersTests {
    private let federation = Federation()

    @Test
    func eachIssuersTokensAreHeldToItsOwnKeysAndRules() async {
        var second = Federation.configuration(1)
        second.policy.audiences = ["client-2"]
        second.policy.algorithms = [.rs256]
        federation.publish(0, KeyPool.set(0))
        federation.publish(1, KeyPool.document([TokenForge(.es256, keyID: "ec").jwk, Self.rsa.jwk]))
        let issuers = federation.trusting([Federation.configuration(0), second])

        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        let good = Self.rsa.token(Federation.payload(Federation.name(1), audience: "client-2"))
        #expect(await federation.loading(issuers, good) == "valid")
        #expect(issuers.verdict(Self.rsa.token(Federation.payload(Federation.name(1)))) == "audience_mismatch")
        #expect(issuers.verdict(Federation.token(0, of: 1)) == "algorithm_not_allowed")
        #expect(issuers.verdict(Federation.token(0, Federation.name(0), audience: "client-2")) == "audience_mismatch")
    }

    private static let rsa = TokenForge(.rs256, keyID: "rsa")

    @Test(arguments: [
        "https://idp-2.example", "", "https://idp-0.example/", "https://IDP-0.example", "HTTPS://idp-0.example", "https://idp-0.exampl",
        "https://idp-0.example.evil.example", "http://idp-0.example", " https://idp-0.example", "https://idp-0.example\u{0}",
        "https://idp%2d0.example", "https://\u{456}dp-0.example", "idp-0.example",
    ])
    func anUnknownIssuerIsRefusedBeforeAnythingElse(issuer: String) {
        let issuers = federation.trusting([Federation.configuration(0), Federation.configuration(1)])
        // Algorithm, key and signature would all be refused.
        let token = TokenForge(.hs256, keyID: "nobody's").token(Federation.payload(issuer)).dropLast(4) + "AAAA"
        #expect(issuers.verdict(String(token)) == "issuer_mismatch")
        #expect(issuers.verdict(Federation.token(0, issuer)) == "issuer_mismatch")
        #expect(federation.transport.requests.isEmpty)
    }

    @Test(arguments: [
        ("{}", "missing_claim"), ("{\"iss\":null}", "invalid_claim"), ("{\"iss\":7}", "invalid_claim"),
        ("{\"iss\":[\"https://idp-0.example\"]}", "invalid_claim"), ("{\"iss\":{}}", "invalid_claim"), ("[]", "invalid_claim"),
        ("{\"ISS\":\"https://idp-0.example\"}", "missing_claim"),
    ])
    func anIssuerHasToBeNamed(payload: String, expected: String) {
        let issuers = federation.trusting([Federation.configuration(0)])
        #expect(issuers.verdict(KeyPool.forges[0].token(payload)) == expected)
        #expect(federation.transport.requests.isEmpty)
    }

    @Test
    func anIssuersNameMayBeEscaped() async {
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0)])
        let payload = Federation.payload(Federation.name(0)).replacing("https://", "\\u0068ttps:\\/\\/")
        #expect(await federation.loading(issuers, KeyPool.forges[0].token(payload)) == "valid")
    }

    @Test(arguments: [("\\u0069ss", 0, "valid"), ("\\u0069ss", 100, "missing_claim"), ("iss", 100, "valid")])
    func onlyAShortPayloadMayEscapeTheNameIss(name: String, bytes: Int, expected: String) async {
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0)])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        let filling = "\"x\":\"\(String(repeating: "x", count: bytes))\","
        let payload = Federation.payload(Federation.name(0)).replacing("\"iss\"", with: "\(filling)\"\(name)\"")
        #expect(issuers.verdict(KeyPool.forges[0].token(payload)) == expected)
    }

    /// A long payload without an issuer that the search finds is refused without being read.
    @Test(arguments: [
        ("", "\"iss\":7", "invalid_claim"), ("", "\"ISS\":\"a\"", "missing_claim"),
        ("{\"iss\":0},", "\"iss\":\"https://idp-0.example\"", "token_too_large"),
    ])
    func aLongPayloadNamesItsIssuerPlainly(inner: String, issuer: String, expected: String) async {
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0)])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        let list = "\"x\":[\(String(repeating: inner, count: 70))\"\(String(repeating: "x", count: 600))\"]"
        #expect(issuers.verdict(KeyPool.forges[0].token("{\(list),\(issuer)}")) == expected)
        let first = String(Federation.payload(Federation.name(0)).dropLast()) + ",\(list)}"
        #expect(issuers.verdict(KeyPool.forges[0].token(first)) == "valid")
    }

    /// The whole payload is read only after its signature.
    @Test(arguments: [
        (",\"iss\":\"https://idp-1.example\"}", "duplicate_member"), (",\"\\u0069ss\":\"https://idp-1.example\"}", "duplicate_member"),
        ("} 0", "invalid_json"), (",\"x\":\"\\x\"}", "invalid_json"),
    ])
    func aFaultOfThePayloadIsNamedAfterItsSignatureIsVerified(end: String, expected: String) async {
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0), Federation.configuration(1)])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        let token = KeyPool.forges[0].token(String(Federation.payload(Federation.name(0)).dropLast()) + end)
        #expect(issuers.verdict(token) == expected)
        #expect(issuers.verdict(String(token.dropLast(8)) + "AAAAAAAA") == "signature_invalid")
    }

    @Test
    func aKeyIDMeansSomethingWithinItsIssuerAlone() async {
        let twin = TokenForge(.es256, keyID: "key-0")
        federation.publish(0, KeyPool.set(0, 1))
        federation.publish(1, KeyPool.document([twin.jwk]))
        let issuers = federation.trusting([Federation.configuration(0), Federation.configuration(1)])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        #expect(await federation.loading(issuers, twin.token(Federation.payload(Federation.name(1)))) == "valid")
        // The name is in both sets, with different material.
        #expect(issuers.verdict(Federation.token(0, of: 1)) == "signature_invalid")
        #expect(issuers.verdict(twin.token(Federation.payload(Federation.name(0)))) == "signature_invalid")
        // The name is only in the other set.
        #expect(await federation.loading(issuers, Federation.token(1, of: 1)) == "unknown_key")
        #expect(federation.requests(1) == 2)
        #expect(federation.requests(0) == 1)
    }

    /// A thread remembers headers, with the key that fitted. Those of two issuers may be equal.
    @Test
    func aRememberedHeaderServesTheKeysOfEachIssuer() async {
        let twin = TokenForge(.es256, keyID: "key-0")
        federation.publish(0, KeyPool.set(0))
        federation.publish(1, KeyPool.document([twin.jwk]))
        let issuers = federation.trusting([Federation.configuration(0), Federation.configuration(1)])
        let tokens = [Federation.token(0, of: 0), twin.token(Federation.payload(Federation.name(1)))]
        for token in tokens { #expect(await federation.loading(issuers, token) == "valid") }
        let swapped = [Federation.token(0, of: 1), twin.token(Federation.payload(Federation.name(0)))]
        for _ in 0..<3 {
            #expect(tokens.map { issuers.verdict($0) } == ["valid", "valid"])
            #expect(swapped.map { issuers.verdict($0) } == ["signature_invalid", "signature_invalid"])
        }
    }

    @Test(arguments: [[], ["https://idp-1.example"], ["https://idp-0.example", "https://idp-1.example"]])
    func aPolicyCannotNameOtherIssuers(named: [String]) async {
        federation.publish(0, KeyPool.set(0))
        var configuration = Federation.configuration(0)
        configuration.policy.issuers = named
        let issuers = federation.trusting([configuration])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        #expect(issuers.verdict(Federation.token(0, of: 1)) == "issuer_mismatch")
    }

    @Test
    func ofTwoConfigurationsOfOneIssuerTheFirstCounts() async {
        federation.publish(0, KeyPool.set(0))
        var second = Federation.configuration(0)
        second.policy.audiences = ["other"]
        let issuers = federation.trusting([Federation.configuration(0), second])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
    }

    // Overloads

    /// Every overload judges a token by the map's own clock, unless the caller gives the time.
    @Test(arguments: [(nil, 0, "valid"), (nil, 7_200, "expired"), (1_700_000_100, 7_200, "valid"), (1_800_000_000, 0, "expired")])
    func everyOverloadJudgesAlike(now: Int64?, later: Int64, expected: String) async throws {
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0, isRequired: true)])
        #expect(await settles { issuers.isReady })
        federation.clock.setDate(1_700_000_100 + later)
        let text = Federation.token(0, of: 0), bytes = Array(text.utf8), now = now.map { NumericDate(seconds: $0) }
        let verdicts = [
            await verdict { () throws(VerificationError) in try issuers.verify(text, now: now).subject ?? "" },
            await verdict { () throws(VerificationError) in try issuers.verify(bytes.span, now: now).subject ?? "" },
            await verdict { () throws(VerificationError) in try issuers.withVerified(bytes.span, now: now) { $0.subject?.string ?? "" } },
        ]
        #expect(verdicts == Array(repeating: expected, count: 3))
        let verifier = RefreshingVerifier(issuers)
        #expect(await verdict { () throws(VerificationError) in try await verifier.verify(bytes, now: now).subject ?? "" } == expected)
        #expect(await verdict { () throws(VerificationError) in try await verifier.verify(text, now: now).subject ?? "" } == expected)
    }

    /// `valid` if `body` returns the token's subject.
    private func verdict(_ body: () async throws(VerificationError) -> String) async -> String {
        do throws(VerificationError) { return try await body() == "a" ? "valid" : "another subject" } catch { return error.code.name }
    }

    // The time of the first fetch

    @Test
    func readinessIsOfTheRequiredOnes() async {
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([
            Federation.configuration(0, isRequired: true), Federation.configuration(1, isRequired: true), Federation.configuration(2),
        ])
        #expect(!issuers.isReady)
        #expect(await settles { federation.log.ends == 2 })
        #expect(!issuers.isReady)
        // It has failed, and is fetched again.
        federation.publish(1, KeyPool.set(1))
        async let isReady = issuers.ready(within: .seconds(60))
        #expect(await settles { federation.clock.sleeperCount >= 2 })
        federation.clock.advance(by: .seconds(2))
        #expect(await isReady)
        #expect(issuers.isReady)
        #expect(federation.requests(2) == 0)
    }

    @Test
    func readinessIsWaitedForNoLongerThanAllowed() async {
        let issuers = federation.trusting([Federation.configuration(0, isRequired: true)])
        #expect(await settles { federation.log.ends == 1 })
        async let isReady = issuers.ready(within: .milliseconds(500))
        #expect(await settles { federation.clock.sleeperCount >= 2 })
        federation.clock.advance(by: .milliseconds(500))
        #expect(await !isReady)
    }

    @Test
    func withNothingRequiredEverythingIsReady() {
        #expect(federation.trusting([]).isReady)
        #expect(federation.trusting([Federation.configuration(0)]).isReady)
    }

    @Test
    func aThousandIssuersHaveAThousandKeySets() async {
        let count = 1_000
        for number in 0..<count { federation.publish(number, KeyPool.set(number % 8)) }
        let issuers = federation.trusting((0..<count).map { Federation.configuration($0) })
        let tokens = (0..<count).map { Federation.token($0 % 8, of: $0) }
        #expect(tokens.allSatisfy { issuers.verdict($0) == "keys_unavailable" })
        #expect(await settles { federation.log.ends == count })
        #expect(tokens.allSatisfy { issuers.verdict($0) == "valid" })
        #expect(federation.transport.requests.count == count)
        #expect(issuers.verdict(Federation.token(1, of: 0)) == "keys_unavailable")
        #expect(issuers.verdict(Federation.token(0, of: count)) == "issuer_mismatch")
    }
}
