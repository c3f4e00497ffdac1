#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Secrets
import Testing

@Suite("64 at once, over as many connections: sentence 54")
struct RaceSentences {
    private static let login = "/api/v2/sdk/login/mobile-verify-code"
    private static let refresh = "/api/v2/sdk/sso/session-token/id-token"

    private static func events(_ server: LiveServer, _ event: String) -> Int { server.auditLines.count { $0.contains(event) } }

    @Test("54: Of 64 logins with one code one succeeds, and the others lock nothing")
    func code() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let code = try await person.code()
            let replies = try await Volley.fire(
                64, person.wire, Self.login, [], ["mobile": person.mobile, "verify_code": code])
            #expect(replies.tally == ["ok": 1, "SMS.1005": 63])
            #expect(Self.events(server, #""event":"login.sms","outcome":"ok""#) == 1)
            server.clock.advance(by: 60)
            // Were one of the 63 a failure of the number, these nine would be its tenth.
            try await person.typeWrong(4, for: try await person.code())
            server.clock.advance(by: 60)
            let wrong = try await person.typeWrong(5, for: try await person.code())
            #expect(wrong.allSatisfy { $0.outcome == "SMS.1005" })
        }
    }

    @Test("54: Of 64 solutions of one challenge one is worth a token")
    func captcha() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let challenge = try await person.challenge()
            let solution = ["token": challenge.token, "point_json": "{\"x\":\(challenge.place).0,\"y\":5.0}", "sender": person.mobile]
            let replies = try await Volley.fire(64, person.wire, "/api/v2/sdk/captcha/verify", [], solution)
            #expect(replies.tally == ["ok": 1, "SMS.1003": 63])
            let token = try #require(replies.compactMap { $0.string("captcha_token") }.first)
            #expect(try await person.send(token).outcome == "ok")
        }
    }

    @Test("54: Of 64 uses of one captcha token one sends, and the others are told so as its repetitions")
    func captchaToken() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let request = ["mobile": person.mobile, "type": "LOGIN_SMS", "captcha_token": try await person.captchaToken()]
            let replies = try await Volley.fire(64, person.wire, "/api/v2/sdk/sms/send", [], request)
            #expect(replies.tally == ["ok": 64])
            #expect(await server.outbox.messages().count == 1)
            #expect(try await person.logIn(try await server.lastCode(of: person.mobile)).outcome == "ok")
        }
    }

    @Test("54: 64 refreshes of one session are one rotation with 64 equal successors")
    func rotation() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
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
    }

    @Test("54: From a second device a refresh is refused, and the family ends, also for 64 at once")
    func secondDevice() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let tokens = try await person.session()
            let fields = [("session-token", tokens.sessionToken)]
            #expect(try await Volley.fire(64, person.on("device-9").wire, Self.refresh, fields).tally == ["COMMON.1005": 64])
            #expect(try await Volley.fire(64, person.wire, Self.refresh, fields).tally == ["COMMON.1005": 64])
            #expect(try await person.wire.sessions(tokens.idToken).outcome == "COMMON.1005")
        }
    }

    @Test("54: Of 64 refreshes with one X-signature one succeeds")
    func signature() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let tokens = try await person.session()
            let signature = try await Signature(person).text(tokens, nonce: "n-1")
            let replies = try await Volley.fire(64, person.wire, Signature.path, [("X-signature", signature)])
            #expect(replies.tally == ["ok": 1, "COMMON.1004": 63])
        }
    }
}
#endif
