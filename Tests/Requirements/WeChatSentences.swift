import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct WeChatSentences {
    @Test
    func aNewAccountRegistersAndThenLogsInAsItsUser() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let first = try await person.logInByWeChat(try await person.wechatCode())
            #expect(first.string("status") == "USER_REGISTER")
            #expect(first.string("data") == #"{"socialBindOrRegisterFlow":["VERIFY_PHONE"]}"#)
            let token = try #require(first.string("state_token"))
            let registered = try await person.complete(WirePath.socialRegister, token, try await person.code(.register, token))
            #expect(registered.outcome == "ok" && registered.string("status") == "SUCCESS")
            let again = try await person.on("device-9").logInByWeChat(try await person.wechatCode())
            #expect(again.string("status") == "SUCCESS")
            let users = try await server.server.services.administration.users()
            #expect(users.map(\.mobile) == [person.mobile])
        }
    }

    @Test
    func aBoundAccountLogsInItsUser() async throws {
        try await LiveServer.simulated {
            $0.wechat?.registersNewUsers = false
        } _: { server in
            let person = Person(server)
            let token = try await person.stateToken()
            #expect(
                try await person.complete(WirePath.socialBind, token, try await person.code(.bindMobile, token)).outcome == "COMMON.1013")
            try await server.addUser(person.mobile)
            #expect(try await person.complete(WirePath.socialBind, token, try await person.code(.bindMobile, token)).outcome == "ok")
            #expect(try await person.logInByWeChat(try await person.wechatCode()).outcome == "ok")
        }
    }

    /// 17: An identical request within 30 s gets the first answer, from its own device; nothing else does.
    @Test
    func aCodeIsExchangedOnceAndItsAnswerIsGivenAgainFor30S() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            #expect(try await person.register().outcome == "ok")
            for isKnown in [true, false] {
                let code = try await person.wechatCode(isKnown ? "li" : "wang")
                let first = try await person.logInByWeChat(code)
                server.clock.advance(by: 29)
                // A second exchange would be 40163 of the simulator, so this is the first one's result.
                let again = try await person.logInByWeChat(code)
                #expect(first.outcome == "ok" && again.outcome == "ok")
                #expect(again.string("session_token") == first.string("session_token"))
                #expect(again.string("state_token") == first.string("state_token"))
                #expect(try await person.on("device-9").logInByWeChat(code).outcome == "COMMON.1006")
                server.clock.advance(by: 1)
                #expect(try await person.logInByWeChat(code).outcome == "COMMON.1006")
            }
        }
    }

    /// 17: Of 64 at once one asks WeChat.
    @Test
    func of64RequestsWithOneCodeAllGetOneSession() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            #expect(try await person.register().outcome == "ok")
            let replies = try await Volley.fire(64, person.wire, WirePath.wechatLogin, [], ["code": try await person.wechatCode()])
            #expect(replies.tally == ["ok": 64])
            #expect(Set(replies.map { $0.string("session_token") }).count == 1)
        }
    }

    @Test
    func whatWeChatRefusesIsTheCodesFaultAndItsOtherErrorsAreNot() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let codes = [
                "40029": "COMMON.1006", "40163": "COMMON.1006", "-1": "LOGIN.1001", "45011": "LOGIN.1001", "status 502": "LOGIN.1001",
            ]
            for (code, outcome) in codes {
                try await server.order(code, from: "wechat")
                #expect(try await person.logInByWeChat(try await person.wechatCode()).outcome == outcome, "\(code)")
            }
            #expect(try await person.logInByWeChat("never-issued").outcome == "COMMON.1006")
            let code = try await person.wechatCode()
            server.clock.advance(by: 600)
            #expect(try await person.logInByWeChat(code).outcome == "COMMON.1006")
        }
    }

    /// 19: On the server a state belongs to one code.
    @Test
    func aReplayedStateWithAnotherCodeIsRefused() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let first = try await person.wechatCode()
            #expect(try await person.logInByWeChat(first, state: OtherLogin.state).outcome == "ok")
            #expect(try await person.logInByWeChat(try await person.wechatCode("wang"), state: OtherLogin.state).outcome == "COMMON.1006")
            #expect(try await person.logInByWeChat(try await person.wechatCode("wang"), state: "short").outcome == "COMMON.1002")
        }
    }

    /// 20: Applications of one platform share their users by unionid; others do not.
    @Test
    func aUserIsFoundByUnionidInAPlatformAndByOpenidInAnApplication() async throws {
        try await LiveServer.simulated { server in
            let administration = server.server.services.administration
            for (id, platform) in [("shop", "p"), ("club", "p"), ("other", "q")] {
                try await server.add(client: id)
                _ = try await administration.setWeChat(of: id, appID: "wx\(id)", secret: "simulated-app-secret", platform: platform)
            }
            let person = Person(server).at("shop")
            #expect(try await person.register("li", app: "wxshop").outcome == "ok")
            let club = try await person.at("club").logInByWeChat(try await person.wechatCode("li", app: "wxclub"))
            #expect(club.string("status") == "SUCCESS")
            let other = try await person.at("other").logInByWeChat(try await person.wechatCode("li", app: "wxother"))
            #expect(other.string("status") == "USER_REGISTER")
            // Another person with the same number of nicknames is another account.
            #expect(try await person.logInByWeChat(try await person.wechatCode("LI", app: "wxshop")).string("status") == "USER_REGISTER")
        }
    }

    /// 21: A state token is for one client, device and purpose, and dies after five wrong codes.
    @Test
    func aStateTokenIsForItsClientDeviceAndPurpose() async throws {
        try await LiveServer.simulated { server in
            try await server.add(client: "other")
            _ = try await server.server.services.administration.setWeChat(of: "other", appID: "wxother", secret: "simulated-app-secret")
            let person = Person(server)
            let token = try await person.stateToken()
            let code = try await person.code(.register, token)
            #expect(try await person.complete(WirePath.socialBind, token, code).outcome == "COMMON.1006")
            #expect(try await person.complete(WirePath.secondFactorSMS, token, code).outcome == "COMMON.1006")
            for stranger in [person.on("device-9"), person.at("other")] {
                #expect(try await stranger.complete(WirePath.socialRegister, token, code).outcome == "COMMON.1006")
                #expect(try await stranger.send(.register, token).outcome == "COMMON.1006")
            }
            #expect(try await person.send(.bindMobile, token).outcome == "COMMON.1006")
            #expect(try await person.complete(WirePath.socialRegister, "", code).outcome == "COMMON.1001")
            #expect(try await person.complete(WirePath.socialRegister, token, code).outcome == "ok")
            #expect(try await person.complete(WirePath.socialRegister, token, code).outcome == "COMMON.1005")
        }
    }

    @Test
    func fiveWrongCodesEndAStateTokenEvenForTheRightOne() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let token = try await person.stateToken()
            var code = try await person.code(.register, token)
            for ordinal in 0..<5 {
                if ordinal == 3 { code = try await person.code(.register, token) }
                #expect(try await person.complete(WirePath.socialRegister, token, Person.other(than: code)).outcome == "SMS.1005")
            }
            #expect(try await person.complete(WirePath.socialRegister, token, code).outcome == "COMMON.1005")
        }
    }

    /// 9: A code of one type is none of another.
    @Test
    func aLoginCodeBindsNothingAndACodeToRegisterLogsNobodyIn() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let token = try await person.stateToken()
            #expect(try await person.complete(WirePath.socialRegister, token, try await person.code()).outcome == "SMS.1005")
            #expect(try await person.logIn(try await person.code(.register, token)).outcome == "SMS.1005")
        }
    }

    /// 22: A number with another WeChat account, and a WeChat account with another user.
    @Test
    func aNumberWithAnotherAccountIsRefusedUnlessThePolicyAllowsIt() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let (first, second) = (try await person.stateToken(ofWeChat: "li"), try await person.stateToken(ofWeChat: "li"))
            let register = { (token: String, person: Person) in
                try await person.complete(WirePath.socialRegister, token, try await person.code(.register, token))
            }
            #expect(try await register(first, person).outcome == "ok")
            #expect(try await register(try await person.stateToken(ofWeChat: "wang"), person).outcome == "SOCIAL.1003")
            // The account got its user while the second token waited.
            #expect(try await register(second, person.with("+86-13900000000")).outcome == "SOCIAL.1002")
            _ = try await server.server.services.administration.configure(LiveServer.client) { $0.wechat?.allowsSeveralAccounts = true }
            #expect(try await register(try await person.stateToken(ofWeChat: "wang"), person).outcome == "ok")
        }
    }

    /// 23, 54: Of 64 registrations with one state token one succeeds.
    @Test
    func of64RegistrationsWithOneStateTokenOneSucceeds() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let token = try await person.stateToken()
            let body = ["mobile": person.mobile, "verify_code": try await person.code(.register, token)]
            let replies = try await Volley.fire(64, person.wire, WirePath.socialRegister, [("X-state-token", token)], body)
            #expect(replies.count { $0.outcome == "ok" } == 1)
            #expect(Set(replies.map(\.outcome)).isSubset(of: ["ok", "COMMON.1005"]))
        }
    }

    /// 18: AppSecret and AccessKeySecret are in no answer, log line or audit line, nor are codes and tokens.
    @Test
    func noSecretOfAProviderLeavesTheServer() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let code = try await person.wechatCode()
            let token = try await person.carrierToken()
            var texts = [try await person.logInByWeChat(code).text, try await person.logInByCarrier(token).text]
            try await server.order("40125", from: "wechat")
            texts.append(try await person.logInByWeChat(try await person.wechatCode()).text)
            texts += server.log.lines + server.auditLines
            for secret in ["simulated-app-secret", "simulated-access-key-secret"] {
                #expect(!texts.contains { $0.contains(secret) })
                #expect(Data(try server.storedBytes()).firstRange(of: Data(secret.utf8)) == nil)
            }
            for secret in [code, token] { #expect(!(server.log.lines + server.auditLines).contains { $0.contains(secret) }) }
        }
    }
}
