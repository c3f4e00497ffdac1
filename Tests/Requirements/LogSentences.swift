import AssayTesting
import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWKSCache
import JWTTestSupport
import Logging
import LoginSupport
import Secrets
import Testing

struct LogSentences: ServerTests {
    private static let mobile = "+86-13812345678"
    private static let webhookSecret = "a secret of 28 bytes or more"

    /// 49: After a full run neither the log at its lowest level, nor the trail, nor the program's own log contains a secret or a number.
    @Test
    func noLogHoldsASecretOrANumber() async throws {
        let receiver = try LoopbackServer { _ in .status(204) }
        let gateway = try WebhookGateway(
            url: receiver.url("/sms"), secret: Array(Self.webhookSecret.utf8), clock: SystemServerClock(), budget: .seconds(60))
        try await LiveServer.running(clock: ManualServerClock(LiveFlows.start), gateway: gateway, logLevel: .trace) { server in
            var secrets = Kept(receiver)
            try await Self.byWire(server, &secrets)
            let program = Guarded([String]())
            try await Self.byFlows(server, program, &secrets)
            try await server.spoilStore()
            #expect(try await Person(server).with(Self.mobile).captcha().status == 500)
            let text = (server.log.lines + server.auditLines + program.withLock { $0 }).joined(separator: "\n")
            for route in ["captcha/verify", "sms/send", "login/mobile-verify-code", "sso/session-token/id-token", "logout", "sessions"] {
                #expect(text.contains(route), "\(route)")
            }
            #expect(text.contains("138****5678") && text.contains("a request failed"))
            // No library prints a value that contains a key, byte by byte.
            #expect(text.firstMatch(of: /\[(?:[0-9]{1,3}, ){15}/) == nil)
            #expect(secrets.codes.count >= 3 && secrets.texts.count >= 25)
            let words = Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
            for code in secrets.codes { #expect(!words.contains(code), "a code") }
            for secret in secrets.texts { #expect(!text.contains(secret), "\(secret.prefix(12))…") }
        }
    }

    /// The secrets that were issued, sent or typed, and must not be logged.
    private struct Kept {
        let receiver: LoopbackServer
        var texts: [String]

        init(_ receiver: LoopbackServer) {
            self.receiver = receiver
            let national = LogSentences.mobile.dropFirst(4)
            texts = [
                LogSentences.webhookSecret, String(repeating: "5a", count: 32), LogSentences.mobile, "+86\(national)", "86\(national)",
                String(national), "%2B86-\(national)", "%2B86\(national)", "PRIVATE KEY",
            ]
        }

        /// The codes that were sent to the phone.
        var codes: [String] {
            receiver.requests.compactMap { request in
                (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: String])?["code"]
            }
        }

        /// The signature of a token in several parts is as secret as the whole token.
        mutating func add(_ token: String) { texts += [token] + (token.contains(".") ? [String(token.split(separator: ".")[2])] : []) }

        mutating func add(_ tokens: WireTokens) {
            add(tokens.sessionToken)
            add(tokens.idToken)
        }
    }

    /// Calls every endpoint, and causes errors that quote their input.
    private static func byWire(_ server: LiveServer, _ secrets: inout Kept) async throws {
        let person = Person(server).with(mobile)
        let challenge = try await person.challenge()
        secrets.add(challenge.token)
        let captchaToken = try #require(try await person.solve(challenge).string("captcha_token"))
        secrets.add(captchaToken)
        #expect(try await person.send(captchaToken).outcome == "ok")
        let code = try #require(secrets.codes.last)
        try await person.typeWrong(1, for: code)
        let tokens = try server.tokens(try await person.logIn(code))
        let next = try server.tokens(try await person.refresh(tokens))
        secrets.add(tokens)
        secrets.add(next)
        let signature = try await person.signature().text(next.sessionToken, nonce: "n-1")
        secrets.add(signature)
        let refreshed = try await person.wire.post(Signature.path, adding: [("X-signature", signature)])
        secrets.add(try #require(refreshed.string("id_token")))
        #expect(try await person.wire.sessions(next.idToken).outcome == "ok")
        let stateToken = try server.server.services.stateTokens.mint(.secondFactor, for: try await caller(server))
        secrets.add(stateToken)
        #expect(try await person.wire.sessions(stateToken).status == 400)
        #expect(try await person.wire.get("/api/v2/sdk/\(mobile)/\(code)?token=\(tokens.sessionToken)&n=%2B8613812345678").status == 404)
        #expect(try await person.wire.delete("/api/v2/sdk/sessions/\(tokens.sessionToken)").status == 400)
        let odd = "{\"mobile\":\"\(mobile)\",\"verify_code\":\"\(code)\",\"\(tokens.sessionToken)\":"
        let type = [("Content-Type", "application/json")]
        let malformed = try await person.wire.send(
            "POST", "/api/v2/sdk/login/mobile-verify-code", person.wire.fields + type, body: Array(odd.utf8))
        #expect(malformed.status == 400)
        #expect(try await person.at("client \(mobile)").captcha().status == 400)
        #expect(try await person.wire.logOut(next.sessionToken).outcome == "ok")
    }

    private static func caller(_ server: LiveServer) async throws -> Caller {
        let client = try #require(try await server.server.services.clients.find(LiveServer.client))
        return Caller(
            client: client, device: [UInt8](repeating: 1, count: 32), deviceName: "x", address: "127.0.0.1", language: .english,
            requestID: "r-1")
    }

    /// The same through a program with its log on, in both forms of a session's proof.
    private static func byFlows(_ server: LiveServer, _ log: Guarded<[String]>, _ secrets: inout Kept) async throws {
        let store = MemorySessionStore()
        for form in [SessionForm.sessionToken, .signature()] {
            server.clock.advance(by: 60)
            let live = try LiveFlows(server, store: store) {
                $0.log = FlowLog { line in log.withLock { $0.append(line) } }
                $0.sessionForm = form
            }
            let pass = try await live.flows.sms.solveSlider(mobile: mobile, presenter: SolvingPresenter()).get()
            _ = try await live.flows.sms.sendSMS(pass).get()
            let session = try await live.flows.sms.logIn(mobile: mobile, code: try #require(secrets.codes.last)).get()
            _ = try await live.flows.identity.userInfo(of: session.idToken).get()
            let renewed = try await live.flows.sessions.renew().get()
            #expect(await live.flows.sms.logIn(mobile: mobile, code: "000000").failure != nil)
            #expect(await live.flows.sessions.logOut().failure == nil)
            let device = try #require(try await store.contents().device)
            let sent = try #require(live.requests.all.first { $0.url.hasSuffix("/sms/send") })
            let body = try #require(try JSONSerialization.jsonObject(with: Data(sent.body)) as? [String: String])
            for text in [
                try #require(body["captcha_token"]), session.sessionToken, session.idToken, renewed.sessionToken, renewed.idToken, device,
            ] {
                secrets.add(text)
            }
        }
    }

    /// A request with the expected audit entry: event, outcome, and subject.
    private struct Step {
        let event: String
        let outcome: String
        let subject: String?
        let ask: (WireClient) async throws -> WireReply
    }

    /// 55: Each authentication step leaves one event with request, client, masked subject and outcome, refused or not.
    @Test(.preparedServer)
    func eachStepOfALoginLeavesOneEvent() async throws {
        let person = Person(server).with(Self.mobile)
        let masked = "+86-138****5678"
        let tokens = try await person.session()
        let next = try server.tokens(try await person.refresh(tokens))
        server.clock.advance(by: 60)
        let (challenge, token) = (try await person.challenge(), try await person.captchaToken())
        let hash = { (token: String) in Digest256.of(Array(token.utf8)).prefix(4).map { String(format: "%02x", $0) }.joined() }
        let other = try await Person(server, 1).session()
        let steps = [
            Step(event: "captcha.challenge", outcome: "ok", subject: nil) { try await $0.get("/api/v2/sdk/captcha") },
            Step(event: "captcha.check", outcome: "SMS.1003", subject: masked) { wire in
                try await person.speaking(wire).solve(challenge, off: 40)
            },
            Step(event: "captcha.check", outcome: "SMS.1002", subject: masked) { wire in
                try await wire.post("/api/v2/sdk/captcha/verify", ["token": "t", "point_json": "x", "sender": Self.mobile])
            },
            Step(event: "sms.send", outcome: "SMS.1004", subject: masked) { try await $0.send(to: Self.mobile, captchaToken: "none") },
            Step(event: "sms.send", outcome: "ok", subject: masked) { try await $0.send(to: Self.mobile, captchaToken: token) },
            Step(event: "login.sms", outcome: "SMS.1005", subject: masked) { wire in
                try await person.speaking(wire).typeWrong(1, for: try await server.lastCode(of: Self.mobile))[0]
            },
            Step(event: "login.sms", outcome: "ok", subject: masked) { wire in
                try await wire.login(Self.mobile, code: try await server.lastCode(of: Self.mobile))
            },
            Step(event: "session.refresh", outcome: "ok", subject: hash(next.sessionToken)) { try await $0.refresh(next.sessionToken) },
            Step(event: "session.refresh", outcome: "COMMON.1005", subject: hash("none")) { try await $0.refresh("none") },
            Step(event: "session.refresh", outcome: "COMMON.1004", subject: nil) { wire in
                try await wire.post(Signature.path, adding: [("X-signature", "AAAA")])
            },
            Step(event: "session.list", outcome: "ok", subject: nil) { try await $0.sessions(next.idToken) },
            Step(event: "session.list", outcome: "COMMON.1005", subject: nil) { try await $0.sessions("none") },
            Step(event: "session.end", outcome: "COMMON.1006", subject: nil) { wire in
                try await wire.delete("/api/v2/sdk/sessions/none", adding: [("Authorization", "Bearer \(next.idToken)")])
            },
            Step(event: "session.logout", outcome: "ok", subject: hash(other.sessionToken)) { try await $0.logOut(other.sessionToken) },
            Step(event: "captcha.challenge", outcome: "COMMON.1012", subject: nil) { wire in
                try await person.speaking(wire).at("nobody").captcha()
            },
            Step(event: "session.refresh", outcome: "COMMON.1005", subject: nil) { wire in
                var thief = wire
                thief.device = "device-9"
                return try await thief.refresh(next.sessionToken)
            },
        ]
        let before = server.auditLines.count
        let requestID = { (ordinal: Int) in "00000000-0000-4000-8000-\(100_000_000_000 + ordinal)" }
        for (ordinal, step) in steps.enumerated() {
            var wire = person.wire
            wire.extraFields = [("X-Request-Id", requestID(ordinal))]
            #expect(try await step.ask(wire).outcome == step.outcome, "step \(ordinal)")
        }
        let events = try server.auditLines.dropFirst(before).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        }
        // The attacker's attempt leaves two: the request, and the revocation.
        let revocations = events.filter { $0["event"] == "session.revoked" }
        #expect(revocations.map { $0["reason"] } == ["foreign_device"])
        let asked = events.filter { $0["event"] != "session.revoked" }
        #expect(asked.count == steps.count)
        for (ordinal, (event, step)) in zip(asked, steps).enumerated() {
            #expect(event["event"] == step.event && event["request_id"] == requestID(ordinal), "step \(ordinal)")
            #expect(event["outcome"] == (step.outcome == "ok" ? "ok" : "IDAAS.SDK.\(step.outcome)"), "step \(ordinal)")
            #expect(event["client"] == (step.outcome == "COMMON.1012" ? "nobody" : "demo") && event["address"] == "127.0.0.1")
            if let subject = step.subject { #expect(event["subject"] == subject, "step \(ordinal)") }
            #expect(event["time"] == "2025-11-21T07:07:40.000Z")
        }
        let ofUsers = AuditAction.allCases.filter { !$0.rawValue.hasPrefix("admin.") && !AuditAction.otherLogins.contains($0) }
        #expect(Set(events.compactMap { $0["event"] }) == Set(ofUsers.map(\.rawValue)))
    }
}

extension Person {
    /// The same person with other header fields.
    fileprivate func speaking(_ wire: WireClient) -> Person {
        var person = self
        person.wire = wire
        return person
    }
}
