import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct RaceSentences: ServerTests {
    private static let login = "/api/v2/sdk/login/mobile-verify-code"
    private static let refresh = "/api/v2/sdk/sso/session-token/id-token"

    private static func events(_ server: LiveServer, _ event: String) -> Int { server.auditLines.count { $0.contains(event) } }

    @Test(.preparedServer)
    func of64LoginsWithOneCodeOneSucceedsAndTheOthersLockNothing() async throws {
        let code = try await person.code()
        let replies = try await Volley.fire(
            64, person.wire, Self.login, [], ["mobile": person.mobile, "verify_code": code])
        #expect(replies.tally == ["ok": 1, "SMS.1005": 63])
        #expect(Self.events(server, #""event":"login.sms","outcome":"ok""#) == 1)
        server.clock.advance(by: 60)
        // If one of the 63 counted as a failure of the number, these nine would include its tenth.
        try await person.typeWrong(4, for: try await person.code())
        server.clock.advance(by: 60)
        let wrong = try await person.typeWrong(5, for: try await person.code())
        #expect(wrong.allSatisfy { $0.outcome == "SMS.1005" })
    }

    @Test(.preparedServer)
    func of64SolutionsOfOneChallengeOneIsWorthAToken() async throws {
        let challenge = try await person.challenge()
        let solution = ["token": challenge.token, "point_json": "{\"x\":\(challenge.place).0,\"y\":5.0}", "sender": person.mobile]
        let replies = try await Volley.fire(64, person.wire, "/api/v2/sdk/captcha/verify", [], solution)
        #expect(replies.tally == ["ok": 1, "SMS.1003": 63])
        let token = try #require(replies.compactMap { $0.string("captcha_token") }.first)
        #expect(try await person.send(token).outcome == "ok")
    }

    /// 54: Of 64 uses of one captcha token one sends an SMS, and the others get its answer as repetitions.
    @Test(.preparedServer)
    func of64UsesOfOneCaptchaTokenOneSends() async throws {
        let request = ["mobile": person.mobile, "type": "LOGIN_SMS", "captcha_token": try await person.captchaToken()]
        let replies = try await Volley.fire(64, person.wire, "/api/v2/sdk/sms/send", [], request)
        #expect(replies.tally == ["ok": 64])
        #expect(await server.outbox.messages().count == 1)
        #expect(try await person.logIn(try await server.lastCode(of: person.mobile)).outcome == "ok")
    }

    @Test(.preparedServer)
    func of64RefreshesOfOneSessionAllGetOneSuccessor() async throws {
        let tokens = try await person.session()
        let replies = try await Volley.fire(64, person.wire, Self.refresh, [("session-token", tokens.sessionToken)])
        #expect(replies.tally == ["ok": 64])
        let successors = Set(replies.map { $0.string("session_token") })
        #expect(successors.count == 1 && !successors.contains(tokens.sessionToken))
        let successor = try #require(successors.first ?? nil)
        let store = server.server.services.store
        let token = try await store.read { try $0.sessionToken(Digest256.of(Array(successor.utf8))) }
        let session = try #require(token?.session)
        #expect(try await store.read { try $0.session(session) }?.generation == 1)
        #expect(try await person.wire.refresh(successor).outcome == "ok")
    }

    /// 54: From a second device a refresh is refused, and the family ends, even with 64 at once.
    @Test(.preparedServer)
    func refreshesFromASecondDeviceEndTheFamily() async throws {
        let tokens = try await person.session()
        let fields = [("session-token", tokens.sessionToken)]
        #expect(try await Volley.fire(64, person.on("device-9").wire, Self.refresh, fields).tally == ["COMMON.1005": 64])
        #expect(try await Volley.fire(64, person.wire, Self.refresh, fields).tally == ["COMMON.1005": 64])
        #expect(try await person.wire.sessions(tokens.idToken).outcome == "COMMON.1005")
    }

    @Test(.preparedServer)
    func of64RefreshesWithOneXSignatureOneSucceeds() async throws {
        let tokens = try await person.session()
        let signature = try await person.signature().text(tokens.sessionToken, nonce: "n-1")
        let replies = try await Volley.fire(64, person.wire, Signature.path, [("X-signature", signature)])
        #expect(replies.tally == ["ok": 1, "COMMON.1004": 63])
    }
}
