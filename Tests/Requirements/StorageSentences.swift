import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct StorageSentences: ServerTests {
    /// Every unprotected form of a secret: plain, its SHA-256, and both in hexadecimal and base64.
    private static func traces(of secret: String, hashed: Bool) -> [[UInt8]] {
        let plain = Array(secret.utf8)
        return (hashed ? [plain, Digest256.of(plain)] : [plain]).flatMap { bytes in
            let hexadecimal = bytes.map { String(format: "%02x", $0) }.joined()
            return [bytes, Array(hexadecimal.utf8), Array(hexadecimal.uppercased().utf8), Array(Data(bytes).base64EncodedString().utf8)]
        }
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { Data(bytes).firstRange(of: Data(part)) != nil }

    /// 16: The database contains no code, whether unused, used or cancelled, neither plain nor as an unkeyed hash.
    @Test(.preparedServer)
    func codesAreStoredAsKeyedHashesAlone() async throws {
        var codes: [String] = []
        for ordinal in 0..<6 {
            let person = Person(server, ordinal).with("+86-1300000000\(ordinal)")
            let code = try await person.code()
            if ordinal % 3 == 1 { #expect(try await person.logIn(code).outcome == "ok") }
            if ordinal % 3 == 2 { try await person.typeWrong(5, for: code) }
            // The database contains numbers, so a code that is part of a number proves nothing.
            if !person.mobile.contains(code) { codes.append(code) }
        }
        let bytes = try server.storedBytes()
        #expect(Self.contains(bytes, Array("+86-13000000005".utf8)) && Self.contains(bytes, Array("code.LOGIN_SMS".utf8)))
        for code in codes {
            for trace in Self.traces(of: code, hashed: true) { #expect(!Self.contains(bytes, trace)) }
        }
    }

    @Test(.preparedServer { $0.development = true })
    func theSameCodeOfTwoDevicesIsTwoHashesOf256Bits() async throws {
        let services = server.server.services
        _ = try await services.administration.addUser(mobile: person.mobile, testCode: "424242")
        for device in ["device-1", "device-2"] { #expect(try await person.on(device).send().outcome == "ok") }
        let kept = try await services.store.read { [mobile = person.mobile] in try $0.singleUses(of: mobile) }
            .filter { $0.purpose.rawValue == "code.LOGIN_SMS" }
        #expect(kept.count == 2 && Set(kept.map(\.content)).count == 2 && kept.allSatisfy { $0.content.count == 32 })
        for device in ["device-1", "device-2"] { #expect(try await person.on(device).logIn("424242").outcome == "ok") }
    }

    /// 32: The database contains session tokens only as hashes, even after refreshes, and no id_token.
    @Test(.preparedServer)
    func sessionTokensAreStoredAsHashesAlone() async throws {
        let tokens = try await person.session()
        let next = try server.tokens(try await person.refresh(tokens))
        let bytes = try server.storedBytes()
        for token in [tokens.sessionToken, next.sessionToken] {
            #expect(Self.contains(bytes, Digest256.of(Array(token.utf8))))
            for trace in Self.traces(of: token, hashed: false) { #expect(!Self.contains(bytes, trace)) }
        }
        for token in [tokens.idToken, next.idToken] { #expect(!Self.contains(bytes, Array(token.suffix(40).utf8))) }
    }

    @Test(.preparedServer)
    func captchaTokensAndChallengesLieThereAsHashesAlone() async throws {
        let challenge = try await person.challenge()
        let token = try #require(try await person.solve(challenge).string("captcha_token"))
        let bytes = try server.storedBytes()
        for secret in [challenge.token, token] {
            #expect(Self.contains(bytes, Digest256.of(Array(secret.utf8))))
            for trace in Self.traces(of: secret, hashed: false) { #expect(!Self.contains(bytes, trace)) }
        }
    }
}
