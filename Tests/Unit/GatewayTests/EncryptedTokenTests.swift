import Foundation
import Gateway
import JWTCore
import JWTDecryption
import JWTTestSupport
import Testing

import struct AssayTesting.TestRecipient

/// A provider with decryption keys takes encrypted tokens, and what is in them is judged as ever.
struct EncryptedTokenTests {
    private static let recipient = Result { try TestRecipient(.ecdhES) }

    private static func encrypted(_ token: String = Scene.token()) throws -> String { try recipient.get().encrypted(token) }

    private static func scene(
        cache: VerifiedTokenCache? = nil,
        _ change: (inout Provider) throws -> Void = { $0.decryptionKeys = [try recipient.get().decryptionKey] }
    ) async throws -> Scene {
        var provider = Scene.provider("a")
        try change(&provider)
        let changed = provider
        return try await Scene(Scene.configuration { $0.providers[0] = changed }, cache: cache)
    }

    @Test func withoutKeysAnEncryptedTokenIsRefused() async throws {
        let scene = try await Self.scene { _ in }
        #expect(scene.verdict(Scene.bearer(try Self.encrypted())) == "401 encrypted_token")
        #expect(scene.verdict(Scene.bearer(Scene.token())) == "allowed")
    }

    @Test(arguments: [false, true]) func withKeysItIsOpenedAndJudged(isCached: Bool) async throws {
        let scene = try await Self.scene(cache: isCached ? VerifiedTokenCache(budget: 1 << 20) : nil)
        for _ in 0..<2 {
            #expect(scene.verdict(Scene.bearer(try Self.encrypted())) == "allowed")
            #expect(scene.verdict(Scene.bearer(Scene.token())) == "401 unencrypted_token")
            #expect(scene.verdict(Scene.bearer(try Self.encrypted(Scene.token("b")))) == "401 issuer_mismatch")
            #expect(scene.verdict(Scene.bearer(try Self.encrypted(Scene.token("a", #""nbf":1700009999"#)))) == "401 not_yet_valid")
            #expect(scene.verdict(Scene.bearer(try Self.encrypted("a.b.c.d.e"))) == "401 not_nested")
            #expect(scene.verdict(Scene.bearer("a.b")) == "401 malformed_token")
        }
        let other = try TestRecipient(.ecdhES).encrypted(Scene.token())
        #expect(scene.verdict(Scene.bearer(other)) == "401 decryption_failed")
    }

    /// One token without a `kid` is tried with four keys, whatever number of providers looks for it.
    @Test(arguments: [(1, "allowed"), (4, "allowed"), (5, "401 decryption_failed")])
    func aRequestTriesFourKeysAtMost(providers: Int, verdict: String) async throws {
        let own = try Self.recipient.get().decryptionKey, others = try (1..<providers).map { _ in try TestRecipient(.ecdhES).decryptionKey }
        let names = (0..<providers).map { "p\($0)" }
        let scene = try await Scene(
            Scene.configuration(.any(names.map { .provider($0) })) { configuration in
                configuration.providers = zip(names, others + [own]).map { name, key in
                    var provider = Provider(name, issuer: Scene.provider("a").issuer)
                    provider.decryptionKeys = [key]
                    return provider
                }
            })
        #expect(scene.verdict(Scene.bearer(try Self.encrypted())) == verdict)
        #expect(scene.verdict(Scene.bearer(try TestRecipient(.ecdhES).encrypted(Scene.token()))).hasPrefix("401"))
    }

    @Test func aHostMayLeaveTokensWithoutALimit() async throws {
        let key = try Self.recipient.get().decryptionKey
        let scene = try await Scene(
            Scene.configuration {
                $0.providers[0].decryptionKeys = [key]
                $0.tokenBytes = .max
            })
        #expect(scene.verdict(Scene.bearer(try Self.encrypted())) == "allowed")
    }

    @Test func bothKindsAreAChoice() async throws {
        let scene = try await Self.scene(cache: VerifiedTokenCache(budget: 1 << 20)) {
            $0.decryptionKeys = [try Self.recipient.get().decryptionKey]
            $0.acceptsUnencrypted = true
        }
        for _ in 0..<2 {
            #expect(scene.verdict(Scene.bearer(Scene.token())) == "allowed")
            #expect(scene.verdict(Scene.bearer(try Self.encrypted())) == "allowed")
        }
    }

    @Test func revocationsAndClaimsAreThoseOfTheInnerToken() async throws {
        let scene = try await Self.scene {
            $0.decryptionKeys = [try Self.recipient.get().decryptionKey]
            $0.claimHeaders = [ClaimHeader("x-user-id", path: [.member("sub")])]
            $0.payloadHeader = "x-payload"
        }
        let inner = Scene.token("a", #""sub":"jane""#)
        let decision = scene.core.decideNow(Scene.bearer(try Self.encrypted(inner)), now: Scene.now)
        #expect(decision.field("x-user-id") == "jane")
        #expect(decision.field("x-payload") == inner.split(separator: ".").dropFirst().first.map(String.init))
    }

    /// The outer token may be longer than a signed one; the inner one may not.
    @Test func theLimitOfTheInnerTokenStays() async throws {
        let scene = try await Self.scene()
        let long = Scene.token("a", #""x":"\#(String(repeating: "y", count: 8_000))""#)
        #expect(scene.verdict(Scene.bearer(try Self.encrypted(long))) == "allowed")
        let longer = Scene.token("a", #""x":["\#(String(repeating: "y", count: 8_000))","\#(String(repeating: "y", count: 8_000))"]"#)
        #expect(scene.verdict(Scene.bearer(try Self.encrypted(longer))) == "401 token_too_large")
    }

    // Settings

    private static func settings(_ more: String) -> String {
        """
        {
          "providers": [{
            "name": "login", "issuer": "https://a.example", "audiences": ["api"], "keys": {"url": "https://a.example/jwks"}, \(more)
          }],
          "policies": [{"name": "main", "requires": "login"}], "routes": [{"path": "/", "policy": "main"}]
        }
        """
    }

    private static func faults(_ more: String) -> String {
        do throws(SettingsFailure) {
            _ = try GatewaySettings(json: settings(more).utf8.span)
            return "none"
        } catch {
            return error.faults.map(\.text).joined(separator: "; ")
        }
    }

    @Test func keysAreFilesThatOthersCannotUse() throws {
        let folder = try TemporaryFolder(), path = try folder.write("key.jwk", Self.recipient.get().privateJWK)
        let setting = #""decryptionKeys": ["\#(path)"]"#
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(Self.faults(setting).contains("others may use the private key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(Self.faults(setting) == "none")
        let provider = try GatewaySettings(json: Self.settings(setting).utf8.span).configuration.providers[0]
        #expect(provider.decryptionKeys.map(\.keyID) == ["test-recipient"] && !provider.acceptsUnencrypted)
        try "{}".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(Self.faults(setting).contains("invalid_key"))
        try FileManager.default.removeItem(atPath: path)
        #expect(Self.faults(setting).contains("cannot be read"))
        #expect(Self.faults(#""decryptionKeys": []"#).contains("at least one file"))
        #expect(Self.faults(#""acceptUnencrypted": true"#).contains("is of no use without `decryptionKeys`"))
    }
}
