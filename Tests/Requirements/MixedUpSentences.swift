import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// Codes and tokens of other applications, providers and numbers.
struct MixedUpSentences {
    /// Code injection: this application cannot log in with a code that a person gave another application. That application can with the next.
    @Test
    func aCodeOfAnotherApplicationLogsNobodyIn() async throws {
        try await LiveServer.simulated { server in
            try await server.add(client: "other")
            _ = try await server.server.services.administration.setWeChat(of: "other", appID: "wxother", secret: "simulated-app-secret")
            let person = Person(server)
            let code = try await person.wechatCode("li", app: "wxother")
            #expect(try await person.logInByWeChat(code).outcome == "COMMON.1006")
            let next = try await person.wechatCode("li", app: "wxother")
            #expect(try await person.at("other").logInByWeChat(next).string("status") == "USER_REGISTER")
        }
    }

    /// Mixed-up providers: what one gave is worth nothing at the endpoint of the other.
    @Test
    func aCodeOfWeChatIsNoTokenOfACarrierNorTheReverse() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let (code, token) = (try await person.wechatCode(), try await person.carrierToken())
            #expect(try await person.logInByCarrier(code).outcome == "COMMON.1005")
            #expect(try await person.logInByWeChat(token).outcome == "COMMON.1006")
            // Neither was used up by that.
            #expect(try await person.logInByWeChat(code).string("status") == "USER_REGISTER")
            #expect(try await person.logInByCarrier(token).outcome == "ok")
        }
    }

    /// The number is the carrier's, whatever a request says of it.
    @Test
    func aCarriersTokenLogsInItsOwnNumberWhateverTheRequestNames() async throws {
        try await LiveServer.simulated { server in
            let (thief, victim) = (Person(server), Person(server, 1))
            try await server.addUser(victim.mobile)
            let reply = try await thief.wire.post(
                WirePath.oneClickLogin, ["access_token": try await thief.carrierToken(), "mobile": victim.mobile])
            #expect(reply.outcome == "ok")
            let sessions = try await thief.wire.sessions(try #require(reply.string("id_token")))
            #expect(sessions.outcome == "ok")
            let users = try await server.server.services.administration.users()
            #expect(Set(users.map(\.mobile)) == [thief.mobile, victim.mobile])
            let store = server.server.services.store
            for user in users {
                #expect(try await store.read { try $0.sessions(of: user.id) }.count == (user.mobile == thief.mobile ? 1 : 0))
            }
        }
    }

    /// 23, 54: Of 64 bindings with one state token one succeeds.
    @Test
    func of64BindingsWithOneStateTokenOneSucceeds() async throws {
        try await LiveServer.simulated {
            $0.wechat?.registersNewUsers = false
        } _: { server in
            let person = Person(server)
            try await server.addUser(person.mobile)
            let token = try await person.stateToken()
            let body = ["mobile": person.mobile, "verify_code": try await person.code(.bindMobile, token)]
            let replies = try await Volley.fire(64, person.wire, WirePath.socialBind, [("X-state-token", token)], body)
            #expect(replies.tally == ["ok": 1, "COMMON.1005": 63])
        }
    }
}
