import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Issuers that differ in their tenant: what a token can choose, and how much it can make us hold.
struct IssuerTemplateTests {
    private static let policy = ClaimsPolicy(issuer: "", audience: "client-1")

    @Test(arguments: [
        "", "{tenant}", "https://login.example/v2.0", "https://login.example/{tenant}/{tenant}", "https://{tenant}.example/v2.0",
        "https://{tenant}/v2.0", "https://login.example{tenant}", "https://login.example/x{tenant}/", "https://login.example/{tenant}x",
        "https:///{tenant}", "ftp://login.example/{tenant}", "login.example/{tenant}", "https://login.example?t=/{tenant}",
        "https://login.example/#/{tenant}", "https://login.example/{tenant}/a?b", "https://login.example/{tenant}/a b",
        "https://login.example/{Tenant}",
        "https://login.example/a b/{tenant}",
    ])
    func whatIsNoTemplate(pattern: String) {
        #expect(IssuerTemplate(pattern, policy: Self.policy) == nil)
    }

    private static let pattern = "https://login.example/{tenant}/v2.0"

    @Test(arguments: [
        "t", "contoso", "contoso.onmicrosoft.com", "72f988bf-86f1-41af-91ab-2d7cd011db47", "A_b-9", "...a",
        String(repeating: "x", count: 64),
    ])
    func whatATokenCanChoose(tenant: String) async throws {
        let federation = Federation()
        let issuer = "https://login.example/\(tenant)/v2.0"
        federation.transport.answer(
            "\(issuer)/.well-known/openid-configuration", "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"https://login.example/k\"}")
        federation.transport.answer("https://login.example/k", KeyPool.set(0))
        let issuers = federation.trusting([], templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))])
        #expect(await federation.loading(issuers, Federation.token(0, issuer)) == "valid")
        #expect(federation.transport.requests.map(\.url) == ["\(issuer)/.well-known/openid-configuration", "https://login.example/k"])
    }

    @Test(arguments: [
        "https://login.example.evil/t/v2.0", "https://login.example@evil.example/t/v2.0",
        "https://evil.example/https://login.example/t/v2.0",
        "https://login.example/t@evil.example/v2.0", "https://login.example/a%2fb/v2.0", "https://login.example/%2e%2e/v2.0",
        "https://login.example/../v2.0", "https://login.example/./v2.0", "https://login.example/.../v2.0", "https://login.example//v2.0",
        "https://login.example/v2.0", "https://login.example/a/b/v2.0", "https://login.example/t/v2.0/", "https://login.example/t/v2.0x",
        "https://login.example/t/V2.0", "https://LOGIN.example/t/v2.0", "http://login.example/t/v2.0", "https://login.example/t?/v2.0",
        "https://login.example/t#/v2.0", "https://login.example/t:80/v2.0", "https://login.example/t\\/v2.0",
        "https://login.example/t\n/v2.0",
        "https://login.example/t /v2.0", "https://login.example/t;a/v2.0", "https://login.example/\u{212a}/v2.0",
        "https://login.example/\u{e9}/v2.0",
        "https://login.example/\(String(repeating: "x", count: 65))/v2.0", "https://login.example/{tenant}/v2.0",
        "https://login.example/\u{0}/v2.0", "",
    ])
    func whatATokenCannotChoose(issuer: String) throws {
        let federation = Federation()
        let issuers = federation.trusting([], templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))])
        #expect(issuers.verdict(Federation.token(0, issuer)) == "issuer_mismatch")
        #expect(federation.transport.requests.isEmpty && issuers.keySets.isEmpty)
    }

    /// Unicode calls the Kelvin sign and the letter the same; an issuer does not.
    @Test
    func aTenantIsNamedByteForByte() async throws {
        let federation = Federation()
        let issuers = federation.trusting([], templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))])
        #expect(issuers.verdict(Federation.token(0, "https://login.example/K/v2.0")) == "keys_unavailable")
        #expect(issuers.verdict(Federation.token(0, "https://login.example/\u{212a}/v2.0")) == "issuer_mismatch")
    }

    @Test
    func tenantsMayBeListed() throws {
        let federation = Federation()
        let template = try #require(IssuerTemplate("https://login.example/{tenant}", tenants: ["a", "b"], policy: Self.policy))
        let issuers = federation.trusting([], templates: [template])
        let verdicts = ["a", "b", "c", "A", "a/"].map { issuers.verdict(Federation.token(0, "https://login.example/\($0)")) }
        #expect(verdicts == ["keys_unavailable", "keys_unavailable", "issuer_mismatch", "issuer_mismatch", "issuer_mismatch"])
    }

    @Test
    func aTenantsKeysAreItsOwn() async throws {
        let federation = Federation()
        for (tenant, place) in [("a", 0), ("b", 1)] {
            let issuer = "https://login.example/\(tenant)/v2.0"
            federation.transport.answer(
                "\(issuer)/.well-known/openid-configuration",
                "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"https://login.example/\(tenant)/k\"}")
            federation.transport.answer("https://login.example/\(tenant)/k", KeyPool.set(place))
        }
        let issuers = federation.trusting([], templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))])
        #expect(await federation.loading(issuers, Federation.token(0, "https://login.example/a/v2.0")) == "valid")
        #expect(await federation.loading(issuers, Federation.token(1, "https://login.example/b/v2.0")) == "valid")
        #expect(await federation.loading(issuers, Federation.token(0, "https://login.example/b/v2.0")) == "unknown_key")
    }

    @Test
    func aListedIssuerGoesBeforeATemplate() async throws {
        let federation = Federation()
        let issuer = "https://login.example/a/v2.0"
        federation.transport.answer("https://login.example/own", KeyPool.set(0))
        let listed = IssuerConfiguration(issuer, source: .jwks(url: "https://login.example/own"), policy: Self.policy)
        let issuers = federation.trusting([listed], templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))])
        #expect(await federation.loading(issuers, Federation.token(0, issuer)) == "valid")
        #expect(issuers.keySets.count == 1)
    }

    // How many

    @Test
    func tenantsAreMadeAtABoundedRate() throws {
        let federation = Federation()
        let issuers = federation.trusting([], templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))])
        for number in 0..<100 {
            #expect(issuers.verdict(Federation.token(0, "https://login.example/\(number)/v2.0")) == "keys_unavailable")
        }
        #expect(issuers.keySets.count == 16)
        federation.clock.advance(by: .milliseconds(9_999))
        #expect(issuers.verdict(Federation.token(0, "https://login.example/x/v2.0")) == "keys_unavailable")
        #expect(issuers.keySets.count == 16)
        federation.clock.advance(by: .milliseconds(1))
        #expect(issuers.verdict(Federation.token(0, "https://login.example/x/v2.0")) == "keys_unavailable")
        #expect(issuers.keySets.count == 17)
        // Those there are need no new one.
        #expect(issuers.verdict(Federation.token(0, "https://login.example/3/v2.0")) == "keys_unavailable")
        #expect(issuers.keySets.count == 17)
    }

    @Test
    func beyondTheCapacityTenantsWithoutKeysGoFirst() async throws {
        let federation = Federation()
        var limits = TrustedIssuers.Limits()
        limits.tenants = 3
        let issuer = "https://login.example/real/v2.0"
        federation.transport.answer(
            "\(issuer)/.well-known/openid-configuration", "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"https://login.example/k\"}")
        federation.transport.answer("https://login.example/k", KeyPool.set(0))
        let issuers = federation.trusting([], templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))], limits: limits)
        #expect(await federation.loading(issuers, Federation.token(0, issuer)) == "valid")
        for number in 0..<40 {
            federation.clock.advance(by: .seconds(2))
            #expect(issuers.verdict(Federation.token(0, "https://login.example/\(number)/v2.0")) == "keys_unavailable")
            #expect(issuers.keySets.count <= 3)
        }
        #expect(issuers.verdict(Federation.token(0, issuer)) == "valid")
    }
}
