import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

extension AuditAction {
    /// The steps of the logins that are not by SMS.
    static let otherLogins: Set<AuditAction> = [
        .wechatLogin, .wechatBind, .wechatRegister, .oneClickLogin, .passwordLogin, .secondFactorSMS, .bindChallenge, .phoneBind,
        .phoneUnbind, .approvalRequest, .approvalAnswer, .approvalPoll, .authorizationEnd, .codeExchange, .browserLogout,
        // Off without settings: RefreshTokenTests, ConsentTests and RegistrationTests see them.
        .authorizationDenial, .grantRefresh, .clientRegistration,
    ]
}

struct LoginAuditSentences {
    /// 55: Each step leaves one event, done or refused, and 49: no event has a whole number, a code, a token or a signature.
    @Test
    func everyStepOfTheOtherLoginsIsAuditedWithoutASecret() async throws {
        try await LiveServer.simulated { server in
            let pc = Person(server)
            try await server.addUser(pc.mobile)
            let before = server.auditLines.count
            let code = try await pc.wechatCode()
            let token = try await pc.stateToken()
            let sms = try await pc.code(.register, token)
            var secrets = [code, token, OtherLogin.password]
            _ = try await pc.complete(WirePath.socialBind, token, sms)
            _ = try await pc.complete(WirePath.socialRegister, token, sms)
            _ = try await pc.logInByCarrier(try await pc.carrierToken())
            let phone = try await WirePhone(of: pc)
            _ = try await phone.bind()
            let waiting = try await Waiting(pc)
            _ = try await phone.approve(waiting)
            let tokens = try server.tokens(try await pc.poll(waiting.stateToken, waiting.id))
            _ = try await pc.secondFactorBySMS(try await pc.firstFactor(), "000000")
            _ = try await phone.unbind()
            _ = try await pc.wire.post(WirePath.authorizationEnd, ["request": "none"], adding: [("session-token", tokens.sessionToken)])
            _ = try await pc.wire.send(
                "POST", WirePath.token, [("Content-Type", "application/x-www-form-urlencoded")], body: Array("grant_type=password".utf8))
            _ = try await pc.wire.send("GET", WirePath.endSession + "?id_token_hint=none", [])
            secrets += [waiting.stateToken, waiting.id, tokens.sessionToken, tokens.idToken, phone.idToken, String(pc.mobile.dropFirst(4))]
            let lines = server.auditLines.dropFirst(before)
            let events = try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]) }
            let names = Set(events.compactMap { $0["event"] })
            let expected = AuditAction.otherLogins.subtracting([.authorizationDenial, .grantRefresh, .clientRegistration])
            #expect(Set(expected.map(\.rawValue)).subtracting(names) == [])
            for secret in secrets { #expect(!(lines + server.log.lines).contains { $0.contains(secret) }) }
            let answer = try #require(events.first { $0["event"] == "approval.answer" })
            #expect(answer["outcome"] == "ok" && answer["user"] == phone.userID && answer["client"] == LiveServer.client)
        }
    }
}
