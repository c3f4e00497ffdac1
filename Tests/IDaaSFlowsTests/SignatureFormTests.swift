import Foundation
import IDaaSFlows
import JWTTestSupport
import Secrets
import Testing

/// Tenants that know `X-signature` alone.
@Suite struct SignatureFormTests {
    static let key = DecryptionKey.generate(bits: 2_048)
    static let other = DecryptionKey.generate(bits: 2_048)

    private func tenant(_ mask: SignatureMask = .sha256, document: String) async throws -> Tenant {
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

    private func plaintext(_ tenant: Tenant, _ path: String, _ key: DecryptionKey, _ mask: OAEPMask = .sha256) throws -> String {
        let field = try #require(tenant.server.requests(to: path).last?.field("X-signature"))
        let sealed = try #require(Data(base64Encoded: field))
        return String(decoding: try #require(key.decrypt(Array(sealed), mask: mask)), as: UTF8.self)
    }

    @Test("The key is read with its armour, without, and with its line breaks spelled out", arguments: 0..<3)
    func keyForms(_ form: Int) async throws {
        let key = try #require(Self.key)
        let pem = key.publicPEM
        let bare = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let tenant = try await tenant(document: [pem, bare, pem.replacing("\n", with: "\\n")][form])
        let session = try await tenant.flows.sessions.renew().get()
        #expect(session.sessionToken == "s-9")
        let text = try plaintext(tenant, Path.signedRefresh, key)
        #expect(text.wholeMatch(of: /session_token=s-9&timestamp=1700000123456&nonce=[0-9a-f]{32}/) != nil)
        #expect(tenant.server.requests(to: Path.refresh).isEmpty)
        #expect(tenant.server.requests(to: Path.signedRefresh).first?.field("session-token") == nil)
    }

    @Test("The mask's hash can be SHA-1")
    func otherMask() async throws {
        let key = try #require(Self.key)
        let tenant = try await tenant(.sha1, document: key.publicPEM)
        _ = try await tenant.flows.sessions.renew().get()
        #expect(try plaintext(tenant, Path.signedRefresh, key, .sha1).hasPrefix("session_token=s-9&"))
    }

    @Test("The key is fetched once, and every signature has a nonce of its own")
    func keyIsKept() async throws {
        let key = try #require(Self.key)
        let tenant = try await tenant(document: key.publicPEM)
        var texts: Set<String> = []
        for _ in 0..<3 {
            _ = try await tenant.flows.sessions.renew().get()
            texts.insert(try plaintext(tenant, Path.signedRefresh, key))
        }
        #expect(tenant.server.requests(to: Path.publicKey).count == 1 && texts.count == 3)
    }

    @Test("A key that was replaced is fetched anew, once")
    func replacedKey() async throws {
        let key = try #require(Self.key), other = try #require(Self.other)
        let tenant = try await tenant(document: key.publicPEM)
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

    @Test("What is no key is not encrypted with")
    func noKey() async throws {
        let tenant = try await tenant(document: "AAAA")
        #expect(await tenant.flows.sessions.renew().failure?.reason == .unusablePublicKey)
    }

    @Test("A logout is a GET, as these tenants know it")
    func logout() async throws {
        let key = try #require(Self.key)
        let tenant = try await tenant(document: key.publicPEM)
        tenant.server.answer(Path.logout, .json("\"200\""))
        #expect(await tenant.flows.sessions.logOut().legacyCode == "0")
        let request = try #require(tenant.server.requests(to: Path.logout).last)
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(try plaintext(tenant, Path.logout, key).hasPrefix("session_token=s-9&"))
    }
}
