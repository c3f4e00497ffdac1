import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

/// Attacks with a part of what a phone has: its token, the older version of its key, its recorded requests.
extension SecondFactorSentences {
    /// 43: An answer signed by another key, and an answer of another user's phone.
    @Test
    func anAnswerOfAnotherPhoneIsRefused() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let (_, other) = try await Self.user(server, 1)
            let waiting = try await Waiting(pc)
            let random = try #require(try await phone.pending().data["random"] as? String)
            var stolen = phone
            stolen.key = other.key
            #expect(try await stolen.approve(waiting).outcome == "MFA.1009")
            let statement = BiometricStatement(
                challenge: random, client: LiveServer.client, user: phone.userID, decision: .approve, verification: .biometric)
            let answer: [String: Any] = [
                "random": random, "signature": try phone.sign(statement.bytes(.statement)), "decision": "approve", "uv": "biometric",
                "match_code": waiting.matchCode ?? "", "sig_version": 1,
            ]
            // The right signature under another user's token.
            #expect(try await other.respond(answer).outcome == "MFA.1006")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "authorization_pending")
            #expect(try await phone.respond(answer).outcome == "ok")
        }
    }

    /// Replay after unbinding: what was recorded before is worth nothing, even for the same key, bound again.
    @Test
    func nothingRecordedBeforeAnUnbindingWorksAfterIt() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            try await server.addUser(person.mobile)
            let phone = try await WirePhone(of: person)
            let (binding, unbinding) = (try await phone.challenge("bind"), try await phone.challenge("unbind"))
            #expect(try await phone.bind(challenge: binding).outcome == "ok")
            let waiting = try await Waiting(person)
            let random = try #require(try await phone.pending().data["random"] as? String)
            #expect(try await phone.unbind(challenge: unbinding).outcome == "ok")
            #expect(try await phone.bind(challenge: binding).outcome == "MFA.1007")
            #expect(try await phone.status().data["bound"] as? Bool == false)
            #expect(try await phone.bind().outcome == "ok")
            #expect(try await phone.unbind(challenge: unbinding).outcome == "MFA.1007")
            let old: [String: Any] = ["random": random, "signature": try phone.sign(Array(random.utf8)), "sig_version": 0]
            #expect(try await phone.respond(old).outcome == "MFA.1006")
            #expect(try await person.poll(waiting.stateToken, waiting.id).string("error") == "expired_token")
        }
    }

    /// Downgrade: an attacker has the phone's token and a signature of the older version, and binds the key again. It keeps its version.
    @Test
    func aKeyKeepsItsVersionWhenItIsBoundAgain() async throws {
        try await LiveServer.simulated {
            $0.secondFactor.matchesNumbers = false
        } _: { server in
            let (pc, phone) = try await Self.user(server)
            #expect(try await phone.bind(.challengeOnly).outcome == "ok")
            _ = try await Waiting(pc)
            let random = try #require(try await phone.pending().data["random"] as? String)
            #expect(try await phone.respond(["signature": try phone.sign(Array(random.utf8))]).outcome == "MFA.1009")
            #expect(try await phone.unbind(.challengeOnly).outcome == "MFA.1009")
            #expect(try await phone.unbind().outcome == "ok")
        }
    }

    /// 54: Of 64 bindings with one challenge one binds, and of 64 codes with one state token one logs in.
    @Test
    func of64BindingsOneBindsAndOf64CodesOneLogsIn() async throws {
        try await LiveServer.simulated {
            $0.secondFactor.demand = .always
        } _: { server in
            let person = Person(server)
            try await server.addUser(person.mobile)
            let phone = try await WirePhone(of: person)
            let challenge = try await phone.challenge("bind")
            let statement = BiometricStatement(
                challenge: challenge, client: LiveServer.client, user: phone.userID, decision: .bind, verification: .biometric)
            let binding: [String: Any] = [
                "public_key": Data(phone.key.publicKey.document).base64EncodedString(), "alg": "ES256", "challenge": challenge,
                "signature": try phone.sign(statement.bytes(.statement)), "sig_version": 1,
            ]
            let bound = try await Volley.fire(64, phone.wire, WirePath.bioDevice, [phone.bearer], binding)
            #expect(bound.tally == ["ok": 1, "MFA.1007": 63])
            let token = try await person.firstFactor()
            let code = ["mobile": person.mobile, "verify_code": try await person.code(.secondFactor, token)]
            let loggedIn = try await Volley.fire(64, person.wire, WirePath.secondFactorSMS, [("X-state-token", token)], code)
            #expect(loggedIn.tally == ["ok": 1, "COMMON.1005": 63])
        }
    }
}
