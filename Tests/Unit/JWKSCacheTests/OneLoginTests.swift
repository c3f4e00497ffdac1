import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// The values of one login, and lent claims, with keys that are fetched.
@Suite(.timeLimit(.minutes(10)))
struct OneLoginTests {
    // OIDC Core appendix A has this code and its hash, for SHA-256.
    private static let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", codeHash = "LDktKdoQak3Pk0cnXxCltA"
    private static let access = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", accessHash = "77QmUPtjPfzWtF2AnpK9RQ"

    private static func token(_ place: Int, _ issuer: String, nonce: String = "n", codeHash: String = codeHash) -> String {
        let login = #""nonce":"\#(nonce)","at_hash":"\#(accessHash)","c_hash":"\#(codeHash)""#
        return KeyPool.forges[place].token(Federation.payload(issuer).dropLast() + ",\(login)}")
    }

    @Test
    func aLoginWaitsForTheKeysOfItsToken() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        let general = RefreshingVerifier(keys: observed.keys, policy: KeyPool.policy, clock: observed.clock)
        let login = general.expecting(nonce: "n").expecting(accessToken: Self.access).expecting(code: Self.code)
        let issuer = "https://idp.example"
        #expect(await login.verdict(Self.token(0, issuer)) == "valid")
        observed.transport.answer(ObservedKeys.url, KeyPool.set(0, 1))
        #expect(await login.verdict(Self.token(1, issuer)) == "valid")
        #expect(observed.transport.requests.count == 2)
        #expect(await login.verdict(Self.token(0, issuer, nonce: "N")) == "nonce_mismatch")
        #expect(await login.verdict(Self.token(0, issuer, codeHash: Self.accessHash)) == "token_hash_mismatch")
        #expect(await general.expecting(accessToken: "other").verdict(Self.token(0, issuer)) == "token_hash_mismatch")
        #expect(await login.verdict(Federation.token(0, issuer)) == "missing_claim")
        #expect(await general.verdict(Self.token(0, issuer, nonce: "N")) == "valid")
    }

    @Test
    func aLoginAtOneOfManyIssuersIsHeldToItsOwnPolicy() async {
        let federation = Federation()
        federation.publish(0, KeyPool.set(0))
        federation.publish(1, KeyPool.set(1))
        let issuers = federation.trusting([Federation.configuration(0), Federation.configuration(1)])
        let login = issuers.expecting(nonce: "n").expecting(code: Self.code), first = Federation.name(0), second = Federation.name(1)
        #expect(await federation.loading(login, Self.token(0, first)) == "valid")
        #expect(await federation.loading(login, Self.token(1, second)) == "valid")
        #expect(login.verdict(Self.token(0, first, nonce: "other")) == "nonce_mismatch")
        #expect(login.verdict(Self.token(0, first, codeHash: "")) == "token_hash_mismatch")
        #expect(login.verdict(Self.token(0, Federation.name(2))) == "issuer_mismatch")
        #expect(issuers.verdict(Self.token(0, first, nonce: "other")) == "valid")
        #expect(login.replacing([Federation.configuration(0)]).verdict(Self.token(0, first, nonce: "other")) == "nonce_mismatch")
        #expect(issuers.expecting(accessToken: "other").verdict(Self.token(0, first)) == "token_hash_mismatch")
        // The login has the keys of the others: nothing was fetched for it.
        #expect((0..<2).map(federation.requests) == [1, 1])
    }

    @Test
    func aLoginWaitsForTheKeysOfItsIssuerOrTenant() async throws {
        let federation = Federation(), tenant = "https://login.example/t"
        federation.publish(0, KeyPool.set(0))
        federation.publish(tenant: tenant, KeyPool.set(1))
        let policy = ClaimsPolicy(issuer: "", audience: "client-1")
        let template = try #require(IssuerTemplate("https://login.example/{tenant}", policy: policy))
        let issuers = federation.trusting([Federation.configuration(0)], templates: [template])
        for login in [RefreshingVerifier(issuers).expecting(nonce: "n"), RefreshingVerifier(issuers.expecting(nonce: "n"))] {
            #expect(await login.verdict(Self.token(0, Federation.name(0))) == "valid")
            #expect(await login.verdict(Self.token(1, tenant)) == "valid")
            #expect(await login.verdict(Self.token(1, tenant, nonce: "")) == "nonce_mismatch")
        }
        #expect(await RefreshingVerifier(issuers).expecting(code: "other").verdict(Self.token(1, tenant)) == "token_hash_mismatch")
        #expect(await RefreshingVerifier(issuers).expecting(accessToken: "x").verdict(Self.token(1, tenant)) == "token_hash_mismatch")
    }

    // Lent claims

    @Test
    func claimsAreLentAfterTheWaitAndOnlyOnce() async throws {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        observed.transport.answer(ObservedKeys.url, KeyPool.set(0, 1))
        let verifier = RefreshingVerifier(keys: observed.keys, policy: KeyPool.policy, clock: observed.clock)
        var calls = 0
        let subject = try await verifier.withVerified(KeyPool.token(1)) { claims -> String? in
            calls += 1
            return claims.string(.subject)
        }
        #expect(subject == "248289761001")
        #expect(calls == 1)
        let bytes = Array(KeyPool.token(0).utf8)
        #expect(try await verifier.withVerified(bytes, now: TokenForge.now) { $0.keyPosition } == 0)
        do throws(VerificationError) {
            try await verifier.withVerified("junk") { _ in calls += 1 }
            Issue.record("junk is valid")
        } catch {
            #expect(error.code == .malformedToken)
        }
        #expect(calls == 1)
    }

    @Test
    func claimsOfManyIssuersAreLentFromTextAndBytes() async throws {
        let federation = Federation()
        federation.publish(0, KeyPool.set(0))
        let issuers = federation.trusting([Federation.configuration(0)]), token = Federation.token(0, of: 0)
        #expect(try await RefreshingVerifier(issuers).withVerified(token) { $0.string(.subject) } == "a")
        #expect(try issuers.withVerified(token) { $0.string(.subject) } == "a")
        #expect(try issuers.withVerified(Array(token.utf8)) { $0.string(.subject) } == "a")
        #expect(try issuers.verify(Array(token.utf8), now: TokenForge.now).subject == "a")
    }

    // Keys by name

    @Test
    func theKeysOfAnIssuerAreFoundByItsName() async throws {
        let federation = Federation(), tenant = "https://login.example/t"
        federation.publish(0, KeyPool.set(0))
        federation.publish(tenant: tenant, KeyPool.set(1))
        let template = try #require(
            IssuerTemplate("https://login.example/{tenant}", policy: ClaimsPolicy(issuer: "", audience: "client-1")))
        let issuers = federation.trusting([Federation.configuration(0)], templates: [template])
        #expect(issuers.keys(of: Federation.name(0)) != nil)
        #expect(issuers.status(of: Federation.name(0))?.health == .unavailable)
        #expect(issuers.keys(of: tenant) == nil)
        #expect(federation.transport.requests.isEmpty)
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        #expect(await federation.loading(issuers, Federation.token(1, tenant)) == "valid")
        #expect(issuers.status(of: Federation.name(0))?.keys.map(\.keyID) == ["key-0"])
        #expect(issuers.status(of: tenant)?.keys.map(\.keyID) == ["key-1"])
        #expect(issuers.expecting(nonce: "n").keys(of: tenant) === issuers.keys(of: tenant))
        for unknown in ["", "https://IDP-0.example", "\(Federation.name(0))/", Federation.name(1), "https://login.example/u"] {
            #expect(issuers.keys(of: unknown) == nil)
            #expect(issuers.status(of: unknown) == nil)
        }
    }
}
