import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Issuers that differ in their tenant: what a token can choose, and the limits on memory.
struct IssuerTemplateTests {
    private static let policy = ClaimsPolicy(issuer: "", audience: "client-1")
    private let federation = Federation()

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

    private func tenants(
        beside listed: [IssuerConfiguration] = [], limits: TrustedIssuers.Limits = .init()
    ) throws -> TrustedIssuers {
        federation.trusting(listed, templates: [try #require(IssuerTemplate(Self.pattern, policy: Self.policy))], limits: limits)
    }

    @Test(arguments: [
        "t", "contoso", "contoso.onmicrosoft.com", "72f988bf-86f1-41af-91ab-2d7cd011db47", "A_b-9", "...a",
        String(repeating: "x", count: 64),
    ])
    func whatATokenCanChoose(tenant: String) async throws {
        let issuer = "https://login.example/\(tenant)/v2.0"
        federation.publish(tenant: issuer, KeyPool.set(0))
        let issuers = try tenants()
        #expect(await federation.loading(issuers, Federation.token(0, issuer)) == "valid")
        #expect(federation.transport.requests.map(\.url) == ["\(issuer)/.well-known/openid-configuration", "\(issuer)/keys"])
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
        let issuers = try tenants()
        #expect(issuers.verdict(Federation.token(0, issuer)) == "issuer_mismatch")
        #expect(federation.transport.requests.isEmpty && issuers.keySets.isEmpty)
    }

    @Test
    func tenantsMayBeListed() throws {
        let template = try #require(IssuerTemplate("https://login.example/{tenant}", tenants: ["a", "b"], policy: Self.policy))
        let issuers = federation.trusting([], templates: [template])
        let verdicts = ["a", "b", "c", "A", "a/"].map { issuers.verdict(Federation.token(0, "https://login.example/\($0)")) }
        #expect(verdicts == ["keys_unavailable", "keys_unavailable", "issuer_mismatch", "issuer_mismatch", "issuer_mismatch"])
    }

    @Test
    func aTenantsKeysAreItsOwn() async throws {
        federation.publish(tenant: "https://login.example/a/v2.0", KeyPool.set(0))
        federation.publish(tenant: "https://login.example/b/v2.0", KeyPool.set(1))
        let issuers = try tenants()
        #expect(await federation.loading(issuers, Federation.token(0, "https://login.example/a/v2.0")) == "valid")
        #expect(await federation.loading(issuers, Federation.token(1, "https://login.example/b/v2.0")) == "valid")
        #expect(await federation.loading(issuers, Federation.token(0, "https://login.example/b/v2.0")) == "unknown_key")
    }

    @Test
    func aListedIssuerGoesBeforeATemplate() async throws {
        let issuer = "https://login.example/a/v2.0"
        federation.transport.answer("https://login.example/own", KeyPool.set(0))
        let listed = IssuerConfiguration(issuer, source: .jwks(url: "https://login.example/own"), policy: Self.policy)
        let issuers = try tenants(beside: [listed])
        #expect(await federation.loading(issuers, Federation.token(0, issuer)) == "valid")
        #expect(issuers.keySets.count == 1)
    }

    // Limits

    @Test
    func tenantsAreMadeAtABoundedRate() throws {
        let issuers = try tenants()
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
        // Existing tenants need no new entry.
        #expect(issuers.verdict(Federation.token(0, "https://login.example/3/v2.0")) == "keys_unavailable")
        #expect(issuers.keySets.count == 17)
    }

    @Test
    func beyondTheCapacityTenantsWithoutKeysGoFirst() async throws {
        var limits = TrustedIssuers.Limits()
        limits.tenants = 3
        let issuer = "https://login.example/real/v2.0"
        federation.publish(tenant: issuer, KeyPool.set(0))
        let issuers = try tenants(limits: limits)
        #expect(await federation.loading(issuers, Federation.token(0, issuer)) == "valid")
        for number in 0..<40 {
            federation.clock.advance(by: .seconds(2))
            #expect(issuers.verdict(Federation.token(0, "https://login.example/\(number)/v2.0")) == "keys_unavailable")
            #expect(issuers.keySets.count <= 3)
        }
        #expect(issuers.verdict(Federation.token(0, issuer)) == "valid")
    }
}
