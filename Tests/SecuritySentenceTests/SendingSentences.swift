#if IDaaS
import IDaaSServer
import IDaaSTestSupport
import Testing

@Suite("What may be sent, over HTTP: sentences 8, 12 and 15")
struct SendingSentences {
    @Test(
        "8: A number outside the list is refused before any send", arguments: ["+1-9005550100", "+7-9161234567", "+86-23800000000", "110"])
    func tollFraud(_ mobile: String) async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            let token = try await person.captchaToken()
            let refused = try await person.with(mobile).send(token)
            #expect(refused.outcome == "COMMON.1002" && refused.details["args"] as? [String] == ["mobile"])
            #expect(try await person.with(mobile).solve(try await person.challenge()).outcome == "COMMON.1002")
            #expect(await server.outbox.messages().isEmpty)
            // Nothing was used up: neither the token nor what a number and a device may have sent.
            #expect(try await person.send(token).outcome == "ok")
        }
    }

    @Test("12: A captcha token is over at 180 s")
    func lifetime() async throws {
        try await LiveServer.running { server in
            for (ordinal, row) in [(179, "ok"), (180, "SMS.1004"), (181, "SMS.1004")].enumerated() {
                let person = Person(server, ordinal)
                let token = try await person.captchaToken()
                server.clock.advance(by: row.0)
                #expect(try await person.send(token).outcome == row.1, "\(row.0) s")
            }
        }
    }

    @Test("12: A captcha token sends once; the same request within 30 s has the same answer and no second SMS")
    func once() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            let person = Person(server)
            let token = try await person.captchaToken()
            #expect(try await person.send(token).outcome == "ok")
            #expect(try await person.with("+86-13900000000").send(token).outcome == "SMS.1004")
            server.clock.advance(by: 29)
            #expect(try await person.send(token).outcome == "ok")
            server.clock.advance(by: 1)
            #expect(try await person.send(token).outcome == "SMS.1004")
            #expect(await server.outbox.messages().count == 1)
        }
    }

    @Test("12: A captcha token is for the number it was solved for, however written, its device and its client; a made-up one is none")
    func sender() async throws {
        try await LiveServer.running { server in
            try await server.add(client: "other")
            let person = Person(server)
            let challenge = try await person.challenge()
            let solved = try await person.solve(challenge)
            let token = try #require(solved.string("captcha_token"))
            for stranger in [person.with("+86-13900000000"), person.on("device-9"), person.at("other")] {
                #expect(try await stranger.send(token).outcome == "SMS.1004")
            }
            let madeUp = [
                "\(challenge.token)---{\"x\":\(challenge.place).0,\"y\":5.0}",
                String(repeating: "0", count: 32) + "---{\"x\":237.0,\"y\":5.0}",
                String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A"),
            ]
            for text in madeUp { #expect(try await person.send(text).outcome == "SMS.1004", "\(text)") }
            #expect(await server.outbox.messages().isEmpty)
            #expect(try await person.with(String(person.mobile.dropFirst(4))).send(token).outcome == "ok")
        }
    }

    @Test("12: In the vendor's notation too a captcha token that was never given is none")
    func compatibleNotation() async throws {
        try await LiveServer.running { server in
            var settings = ClientSettings()
            settings.compatibleCaptchaToken = true
            try await server.add(client: "other", settings: settings)
            let person = Person(server).at("other")
            let challenge = try await person.challenge()
            let right = "\(challenge.token)---{\"x\":\(Double(challenge.place)),\"y\":5.0}"
            #expect(try await person.send(right).outcome == "SMS.1004")
            #expect(try await person.solve(challenge).string("captcha_token") == right)
            #expect(try await person.send(right).outcome == "ok")
        }
    }

    @Test("15: Known, unknown and locked numbers are answered with the same bytes, sending and logging in")
    func unknownNumbers() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            let administration = server.server.services.administration
            var settings = ClientSettings()
            settings.registersUnknownNumbers = false
            try await server.add(client: "closed", settings: settings)
            let people = (0..<3).map { Person(server, $0).at("closed") }
            _ = try await administration.addUser(mobile: people[0].mobile)
            _ = try await administration.addUser(mobile: people[2].mobile)
            try await administration.lockUser(people[2].mobile)
            var answers: [[String]] = []
            for person in people {
                let replies = [try await person.send(), try await person.logIn("000000"), try await person.logIn("")]
                answers.append(replies.map(Self.everything))
            }
            #expect(Set(answers).count == 1, "\(answers)")
            #expect(await server.outbox.messages().map(\.mobile) == [people[0].mobile])
        }
    }

    /// Status, fields and body, without what names the request and the hour.
    private static func everything(_ reply: WireReply) -> String {
        let fields = reply.fields.filter { !["x-request-id", "date"].contains($0.0.lowercased()) }.map { "\($0.0): \($0.1)" }
        return "\(reply.status) \(fields.sorted()) \(reply.text)"
    }
}
#endif
