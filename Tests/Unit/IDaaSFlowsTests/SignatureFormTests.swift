import Foundation
import IDaaSFlows
import JWKSCache
import JWTTestSupport
import Secrets
import Testing

/// Tenants that support only `X-signature`.
@Suite struct SignatureFormTests {
    static let key = DecryptionKey.generate(bits: 2_048)
    static let other = DecryptionKey.generate(bits: 2_048)

    private func tenant(_ mask: SignatureMask = .sha256, document: String? = nil) async throws -> Tenant {
        let document = try document ?? #require(Self.key).publicPEM
        let tenant = try Tenant { $0.sessionForm = .signature(mask: mask) }
        try await tenant.logIn(session: "s-9")
        tenant.server.answer(Path.publicKey, .json(#"{"public_key":\#(quoted(document))}"#))
        tenant.server.answer(Path.date, .json(#"{"timestamp":"1700000123456"}"#))
        tenant.server.answer(Path.signedRefresh, .json("{\"id_token\":\"\(Tenant.idToken(["jti": "2"]))\"}"))
        return tenant
    }

    private func quoted(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    private func plaintext(_ tenant: Tenant, _ path: String, _ key: DecryptionKey? = key, mask: OAEPMask = .sha256) throws -> String {
        let field = try #require(tenant.server.requests(to: path).last?.first("X-signature"))
        let sealed = try #require(Data(base64Encoded: field))
        let key = try #require(key)
        return String(decoding: try #require(key.decrypt(Array(sealed), mask: mask)), as: UTF8.self)
    }

    @Test(arguments: 0..<3)
    func aKeyIsReadInEachFormOfItsText(_ form: Int) async throws {
        let pem = try #require(Self.key).publicPEM
        let bare = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let tenant = try await tenant(document: [pem, bare, pem.replacing("\n", with: "\\n")][form])
        let session = try await tenant.flows.sessions.renew().get()
        #expect(session.sessionToken == "s-9")
        let text = try plaintext(tenant, Path.signedRefresh)
        #expect(text.wholeMatch(of: /session_token=s-9&timestamp=1700000123456&nonce=[0-9a-f]{32}/) != nil)
        #expect(tenant.server.requests(to: Path.refresh).isEmpty)
        #expect(tenant.server.requests(to: Path.signedRefresh).first?.first("session-token") == nil)
    }

    @Test
    func theMasksHashCanBeSHA1() async throws {
        let tenant = try await tenant(.sha1)
        _ = try await tenant.flows.sessions.renew().get()
        #expect(try plaintext(tenant, Path.signedRefresh, mask: .sha1).hasPrefix("session_token=s-9&"))
    }

    @Test
    func theKeyIsFetchedOnceAndEverySignatureHasANonceOfItsOwn() async throws {
        let tenant = try await tenant()
        var texts: Set<String> = []
        for _ in 0..<3 {
            _ = try await tenant.flows.sessions.renew().get()
            texts.insert(try plaintext(tenant, Path.signedRefresh))
        }
        #expect(tenant.server.requests(to: Path.publicKey).count == 1 && texts.count == 3)
    }

    @Test
    func aKeyThatWasReplacedIsFetchedAnewOnce() async throws {
        let other = try #require(Self.other)
        let tenant = try await tenant()
        _ = try await tenant.flows.sessions.renew().get()
        tenant.server.answer(Path.publicKey, .json(#"{"public_key":\#(quoted(other.publicPEM))}"#))
        tenant.server.answer(
            Path.signedRefresh, inTurn: [.refusal("IDAAS.SDK.COMMON.1004"), .json("{\"id_token\":\"\(Tenant.idToken())\"}")])
        #expect(await tenant.flows.sessions.renew().legacyCode == "0")
        #expect(try plaintext(tenant, Path.signedRefresh, other).hasPrefix("session_token=s-9&"))
        tenant.server.answer(Path.signedRefresh, .refusal("IDAAS.SDK.COMMON.1004"))
        let before = tenant.server.requests(to: Path.signedRefresh).count
        #expect(await tenant.flows.sessions.renew().legacyCode == "IDAAS.SDK.COMMON.1004")
        #expect(tenant.server.requests(to: Path.signedRefresh).count == before + 2)
        #expect(try await tenant.flows.sessions.stored() != nil)
    }

    @Test
    func whatIsNoKeyIsNotEncryptedWith() async throws {
        let tenant = try await tenant(document: "AAAA")
        #expect(await tenant.flows.sessions.renew().failure?.reason == .unusablePublicKey)
    }

    @Test
    func aLogoutIsAGETAsTheseTenantsKnowIt() async throws {
        let tenant = try await tenant()
        tenant.server.answer(Path.logout, .json("\"200\""))
        #expect(await tenant.flows.sessions.logOut().legacyCode == "0")
        let request = try #require(tenant.server.requests(to: Path.logout).last)
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(try plaintext(tenant, Path.logout).hasPrefix("session_token=s-9&"))
    }
}
