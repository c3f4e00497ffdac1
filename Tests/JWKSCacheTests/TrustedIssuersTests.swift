import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Whom a token can be of, and whose keys and rules it is then held to.
struct TrustedIssuersTests {
    @Test
    func eachIssuersTokensAreHeldToItsOwnKeysAndRules() async {
        let federation = Federation()
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
        let federation = Federation()
        let issuers = federation.trusting([Federation.configuration(0), Federation.configuration(1)])
        // Neither algorithm, key nor signature would do.
        let token = TokenForge(.hs256, keyID: "nobody's").token(Federation.payload(issuer)).dropLast(4) + "AAAA"
        #expect(issuers.verdict(String(token)) == "issuer_mismatch")
        #expect(issuers.verdict(Federation.token(0, issuer)) == "issuer_mismatch")
        #expect(federation.transport.requests.isEmpty)
    }

    @Test(arguments: [
        ("{}", "missing_claim"), ("{\"iss\":null}", "invalid_claim"), ("{\"iss\":7}", "invalid_claim"),
        ("{\"iss\":[\"https://idp-0.example\"]}", "invalid_claim"), ("{\"iss\":{}}", "invalid_claim"), ("[]", "invalid_claim"),
        ("{\"ISS\":\"https://idp-0.example\"}", "missing_claim"),
        ("{\"iss\":\"https://idp-0.example\",\"iss\":\"https://idp-0.example\"}", "duplicate_member"),
    ])
    func anIssuerHasToBeNamed(payload: String, expected: String) {
        let federation = Federation()
        let issuers = federation.trusting([Federation.configuration(0)])
        #expect(issuers.verdict(KeyPool.forges[0].token(payload)) == expected)
        #expect(federation.transport.requests.isEmpty)
    }

    @Test
    func anIssuersNameMayBeEscaped() async {
        let federation = Federation()
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0)])
        let payload = Federation.payload(Federation.name(0)).replacing("https://", "\\u0068ttps:\\/\\/")
        #expect(await federation.loading(issuers, KeyPool.forges[0].token(payload)) == "valid")
    }

    @Test
    func aKeyIDMeansSomethingWithinItsIssuerAlone() async {
        let federation = Federation()
        let twin = TokenForge(.es256, keyID: "key-0")
        federation.publish(0, KeyPool.set(0, 1))
        federation.publish(1, KeyPool.document([twin.jwk]))
        let issuers = federation.trusting([Federation.configuration(0), Federation.configuration(1)])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        #expect(await federation.loading(issuers, twin.token(Federation.payload(Federation.name(1)))) == "valid")
        // The name is in both, the material is not.
        #expect(issuers.verdict(Federation.token(0, of: 1)) == "signature_invalid")
        #expect(issuers.verdict(twin.token(Federation.payload(Federation.name(0)))) == "signature_invalid")
        // The name is in the other alone.
        #expect(await federation.loading(issuers, Federation.token(1, of: 1)) == "unknown_key")
        #expect(federation.requests(1) == 2)
        #expect(federation.requests(0) == 1)
    }

    @Test(arguments: [[], ["https://idp-1.example"], ["https://idp-0.example", "https://idp-1.example"]])
    func aPolicyCannotNameOtherIssuers(named: [String]) async {
        let federation = Federation()
        federation.publish(0, KeyPool.set(0))
        var configuration = Federation.configuration(0)
        configuration.policy.issuers = named
        let issuers = federation.trusting([configuration])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        #expect(issuers.verdict(Federation.token(0, of: 1)) == "issuer_mismatch")
    }

    @Test
    func ofTwoConfigurationsOfOneIssuerTheFirstCounts() async {
        let federation = Federation()
        federation.publish(0, KeyPool.set(0))
        var second = Federation.configuration(0)
        second.policy.audiences = ["other"]
        let issuers = federation.trusting([Federation.configuration(0), second])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
    }

    // When keys are fetched

    @Test
    func keysAreFetchedAtTheStartWhereRequiredAndElseWhenWanted() async {
        let federation = Federation()
        for number in 0..<3 { federation.publish(number, KeyPool.set(number)) }
        let issuers = federation.trusting([
            Federation.configuration(0, isRequired: true), Federation.configuration(1), Federation.configuration(2),
        ])
        #expect(await settles { federation.log.ends == 1 })
        #expect((0..<3).map(federation.requests) == [1, 0, 0])
        #expect(issuers.verdict(Federation.token(0, of: 0)) == "valid")
        #expect(await federation.loading(issuers, Federation.token(1, of: 1)) == "valid")
        #expect((0..<3).map(federation.requests) == [1, 1, 0])
    }

    @Test
    func readinessIsOfTheRequiredOnes() async {
        let federation = Federation()
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([
            Federation.configuration(0, isRequired: true), Federation.configuration(1, isRequired: true), Federation.configuration(2),
        ])
        #expect(!issuers.isReady)
        #expect(await settles { federation.log.ends == 2 })
        #expect(!issuers.isReady)
        // It has failed, and is asked again.
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
        let federation = Federation()
        let issuers = federation.trusting([Federation.configuration(0, isRequired: true)])
        #expect(await settles { federation.log.ends == 1 })
        async let isReady = issuers.ready(within: .milliseconds(500))
        #expect(await settles { federation.clock.sleeperCount >= 2 })
        federation.clock.advance(by: .milliseconds(500))
        #expect(await !isReady)
    }

    @Test
    func withNothingRequiredEverythingIsReady() {
        #expect(Federation().trusting([]).isReady)
        #expect(Federation().trusting([Federation.configuration(0)]).isReady)
    }

    @Test
    func aThousandIssuersHaveAThousandKeySets() async {
        let federation = Federation()
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
