import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct SecondFactorSentences {
    /// A user with a password and a bound phone.
    static func user(
        _ server: LiveServer, _ ordinal: Int = 0, _ version: SignatureVersion = .statement
    ) async throws -> (pc: Person, phone: WirePhone) {
        let person = Person(server, ordinal)
        try await server.addUser(person.mobile)
        let phone = try await WirePhone(of: person, device: "phone-\(ordinal)")
        #expect(try await phone.bind(version).outcome == "ok")
        return (person, phone)
    }

    private static func claims(_ reply: WireReply) throws -> [String: Any] {
        try TokenPart.payload.json(in: try #require(reply.string("id_token")))
    }

    @Test
    func anApprovedLoginHasBothFactorsInItsToken() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let waiting = try await Waiting(pc)
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "authorization_pending")
            #expect(try await phone.approve(waiting).outcome == "ok")
            server.clock.advance(by: 2)
            let reply = try await pc.poll(waiting.stateToken, waiting.id)
            #expect(reply.outcome == "ok")
            let claims = try Self.claims(reply)
            #expect(claims["amr"] as? [String] == ["pwd", "hwk", "user"])
            #expect(claims["acr"] as? String == "http://idmanagement.gov/ns/assurance/aal/2")
            #expect(claims["auth_time"] as? Int64 == server.clock.now.seconds)
        }
    }

    /// 43: One answer counts, whatever form its signature has.
    @Test
    func aSecondAnswerCountsNothing() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let waiting = try await Waiting(pc)
            let random = try #require(try await phone.pending().data["random"] as? String)
            #expect(try await phone.approve(waiting).outcome == "ok")
            let again: [String: Any] = ["random": random, "signature": try phone.sign(Array(random.utf8))]
            #expect(try await phone.respond(again).outcome == "MFA.1006")
            server.clock.advance(by: 2)
            #expect(try await pc.poll(waiting.stateToken, waiting.id).outcome == "ok")
        }
    }

    static let forgeries: [(String, WirePhone.Answer)] = [
        ("another decision", WirePhone.Answer(signedDecision: .deny)), ("another user", WirePhone.Answer(signedUser: "somebody")),
        ("another request", WirePhone.Answer(signedRandom: "AAAA")), ("another application", WirePhone.Answer(signedClient: "other")),
        ("another request's name", WirePhone.Answer(random: "AAAA")), ("the older version", WirePhone.Answer(version: .challengeOnly)),
        ("a binding", WirePhone.Answer(signedDecision: .bind)),
    ]

    @Test(arguments: forgeries)
    func aSignatureOfSomethingElseIsRefused(_ name: String, _ answer: WirePhone.Answer) async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let waiting = try await Waiting(pc)
            var answer = answer
            answer.matchCode = waiting.matchCode
            #expect(try await phone.respond(answer).outcome == "MFA.1009")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "authorization_pending")
        }
    }

    @Test
    func fiveWrongSignaturesEndARequest() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let waiting = try await Waiting(pc)
            for _ in 0..<5 {
                #expect(
                    try await phone.respond(WirePhone.Answer(matchCode: waiting.matchCode, signedUser: "somebody")).outcome == "MFA.1009")
            }
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "access_denied")
        }
    }

    /// A phone of the documents signs the challenge alone, and names no request.
    @Test
    func theOlderVersionNeedsNoRandomUnlessThePolicyDoes() async throws {
        try await LiveServer.simulated {
            $0.secondFactor.matchesNumbers = false
        } _: { server in
            let (pc, phone) = try await Self.user(server, 0, .challengeOnly)
            let waiting = try await Waiting(pc)
            let random = try #require(try await phone.pending().data["random"] as? String)
            #expect(try await phone.respond(["signature": try phone.sign(Array(random.utf8))]).outcome == "ok")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).outcome == "ok")
            _ = try await server.server.services.administration.configure(LiveServer.client) { $0.secondFactor.requiresStatements = true }
            _ = try await Waiting(pc)
            let next = try #require(try await phone.pending().data["random"] as? String)
            #expect(try await phone.respond(["signature": try phone.sign(Array(next.utf8))]).outcome == "MFA.1009")
        }
    }

    /// 44: A new request cancels the last one; more than five in ten minutes are refused; a wrong number ends the request.
    @Test
    func pushBombingStopsAtFiveAndOnlyTheNewestRequestWaits() async throws {
        try await LiveServer.simulated(limits: .without { $0.approvalsPerUser = LimitSettings().approvalsPerUser }) { server in
            let (pc, phone) = try await Self.user(server)
            let first = try await Waiting(pc)
            let second = try await Waiting(pc)
            #expect(try await pc.poll(first.stateToken, first.id).string("error") == "expired_token")
            #expect(try await phone.approve(second).outcome == "ok")
            for _ in 0..<3 { _ = try await Waiting(pc) }
            let bomb = try await pc.initiate(try await pc.firstFactor())
            #expect(bomb.outcome == "RATE.1001" && bomb.retryAfter == 600)
            server.clock.advance(by: 600)
            #expect(try await pc.initiate(try await pc.firstFactor()).outcome == "ok")
        }
    }

    @Test
    func aWrongMatchNumberEndsTheRequestAndNoNumberIsNoAnswer() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let waiting = try await Waiting(pc)
            let code = try #require(waiting.matchCode.flatMap { Int($0) })
            #expect((10...99).contains(code))
            #expect(try await phone.pending().data["match_required"] as? Bool == true)
            #expect(try await phone.respond(WirePhone.Answer()).outcome == "COMMON.1001")
            #expect(try await phone.respond(WirePhone.Answer(matchCode: "\(code == 99 ? 10 : code + 1)")).outcome == "MFA.1012")
            #expect(try await phone.respond(["signature": "AAAA"]).outcome == "MFA.1006")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "access_denied")
        }
    }

    /// 45: Denial, expiry, and polling too fast.
    @Test
    func denialEndsThePollAtOnceExpiryDoesAndHasteSlowsItDown() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let denied = try await Waiting(pc)
            #expect(try await phone.respond(WirePhone.Answer(decision: .deny)).outcome == "ok")
            let refusal = try await pc.poll(denied.stateToken, denied.id)
            #expect(refusal.string("error") == "access_denied" && refusal.outcome == "MFA.1008")

            let hasty = try await Waiting(pc)
            #expect(try await pc.poll(hasty.stateToken, hasty.id).string("error") == "authorization_pending")
            #expect(try await pc.poll(hasty.stateToken, hasty.id).string("error") == "slow_down")
            server.clock.advance(by: 6)
            #expect(try await pc.poll(hasty.stateToken, hasty.id).string("error") == "slow_down")
            server.clock.advance(by: 12)
            #expect(try await pc.poll(hasty.stateToken, hasty.id).string("error") == "authorization_pending")
            server.clock.advance(by: 102)
            #expect(try await pc.poll(hasty.stateToken, hasty.id).string("error") == "expired_token")
            #expect(try await phone.pending().json["data"] is NSNull)
            #expect(try await phone.respond(["signature": "AAAA"]).outcome == "MFA.1007")
        }
    }

    /// 46: The result is for the client, the device and the state token that asked, once.
    @Test
    func theResultIsDeliveredOnceToWhoeverAsked() async throws {
        try await LiveServer.simulated { server in
            try await server.add(client: "other")
            let (pc, phone) = try await Self.user(server)
            let waiting = try await Waiting(pc)
            let another = try await pc.firstFactor()
            #expect(try await phone.approve(waiting).outcome == "ok")
            #expect(try await pc.on("device-9").poll(waiting.stateToken, waiting.id).outcome == "COMMON.1006")
            #expect(try await pc.at("other").poll(waiting.stateToken, waiting.id).outcome == "COMMON.1006")
            #expect(try await pc.poll(another, waiting.id).outcome == "COMMON.1006")
            let replies = try await Volley.fire(
                64, pc.wire, WirePath.bioPoll, [("X-state-token", waiting.stateToken)], ["auth_req_id": waiting.id])
            #expect(replies.count { $0.outcome == "ok" } == 1)
            #expect(Set(replies.map(\.outcome)).isSubset(of: ["ok", "COMMON.1005"]))
        }
    }

    /// 47: What the phone shows is of the server's record.
    @Test
    func thePhoneShowsWhatTheServerKnows() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let created = server.clock.now
            _ = try await pc.initiate(
                try await pc.firstFactor(), ["binding_message": "Order 17", "clientName": "Bank", "created_at": "0", "ip_region": "home"])
            server.clock.advance(by: 20)
            let data = try await phone.pending().data
            #expect(data["clientName"] as? String == "Demonstration" && data["clientId"] as? String == LiveServer.client)
            #expect(data["created_at"] as? String == String(created.milliseconds) && data["expires_in"] as? Int == 100)
            #expect(data["ip_region"] as? String == "127.0.0.0/24" && data["binding_message"] as? String == "Order 17")
            for text in ["<b>\n", "\u{202e}evil", String(repeating: "x", count: 65), " "] {
                #expect(try await pc.initiate(try await pc.firstFactor(), ["binding_message": text]).outcome == "COMMON.1002")
            }
        }
    }

    @Test
    func anSMSTakesThePlaceOfThePhoneForTheUsersNumberAlone() async throws {
        try await LiveServer.simulated { server in
            let (pc, _) = try await Self.user(server)
            let token = try await pc.firstFactor()
            #expect(try await pc.with("+86-13900000000").send(.secondFactor, token).outcome == "MFA.1001")
            let code = try await pc.code(.secondFactor, token)
            #expect(try await pc.with("+86-13900000000").secondFactorBySMS(token, code).outcome == "MFA.1001")
            #expect(try await pc.logIn(code).outcome == "SMS.1005")
            let reply = try await pc.secondFactorBySMS(token, code)
            #expect(reply.outcome == "ok")
            #expect(try Self.claims(reply)["amr"] as? [String] == ["pwd", "sms"])
            #expect(try Self.claims(reply)["acr"] as? String == "http://idmanagement.gov/ns/assurance/aal/2")
            #expect(try await pc.secondFactorBySMS(token, code).outcome == "COMMON.1005")
            #expect(try await pc.initiate(token).outcome == "COMMON.1005")
        }
    }

    @Test
    func theDemandDecidesWhoNeedsASecondFactor() async throws {
        try await LiveServer.simulated { server in
            let administration = server.server.services.administration
            let person = Person(server)
            try await server.addUser(person.mobile)
            #expect(try await person.logInByPassword(person.mobile).string("status") == "SUCCESS")
            _ = try await administration.configure(LiveServer.client) { $0.secondFactor.demand = .always }
            let reply = try await person.logInByPassword(person.mobile)
            #expect(reply.string("data") == #"{"mfa":["SMS"],"mobile":"+86-138****0000"}"#)
            let token = try #require(reply.string("state_token"))
            #expect(try await person.initiate(token).outcome == "MFA.1005")
            _ = try await administration.configure(LiveServer.client) { $0.secondFactor.demand = .never }
            #expect(try await person.initiate(token).outcome == "MFA.1002")
        }
    }

    /// 54: Of 64 answers to one request one counts; of 64 unbindings one does.
    @Test
    func of64AnswersOneCountsAndOf64UnbindingsOneDoes() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            let waiting = try await Waiting(pc)
            let data = try await phone.pending().data
            let random = try #require(data["random"] as? String)
            let statement = BiometricStatement(
                challenge: random, client: LiveServer.client, user: phone.userID, decision: .approve, verification: .biometric)
            let answer: [String: Any] = [
                "random": random, "signature": try phone.sign(statement.bytes(.statement)), "decision": "approve", "uv": "biometric",
                "match_code": waiting.matchCode ?? "", "sig_version": 1,
            ]
            let replies = try await Volley.fire(64, phone.wire, WirePath.bioRespond, [phone.bearer], answer)
            #expect(replies.tally == ["ok": 1, "MFA.1006": 63])
            let challenge = try await phone.challenge("unbind")
            let unbinding = BiometricStatement(
                challenge: challenge, client: LiveServer.client, user: phone.userID, decision: .unbind, verification: .biometric)
            let consent: [String: Any] = [
                "challenge": challenge, "signature": try phone.sign(unbinding.bytes(.statement)), "sig_version": 1,
            ]
            let unbound = try await Volley.fire(64, phone.wire, WirePath.bioUnbind, [phone.bearer], consent)
            #expect(unbound.tally == ["ok": 1, "MFA.1005": 63])
        }
    }
}

extension WirePhone.Answer: CustomTestStringConvertible {
    var testDescription: String { "\(decision) \(version)" }
}
