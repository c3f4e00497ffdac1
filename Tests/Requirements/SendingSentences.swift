import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct SendingSentences: ServerTests {
    @Test(.preparedServer, arguments: ["+1-9005550100", "+7-9161234567", "+86-23800000000", "110"])
    func aNumberOutsideTheListIsRefusedBeforeAnySend(_ mobile: String) async throws {
        let token = try await person.captchaToken()
        let refused = try await person.with(mobile).send(token)
        #expect(refused.outcome == "COMMON.1002" && refused.details["args"] as? [String] == ["mobile"])
        #expect(try await person.with(mobile).solve(try await person.challenge()).outcome == "COMMON.1002")
        #expect(await server.outbox.messages().isEmpty)
        // Nothing was consumed: neither the token nor the limits of the number and the device.
        #expect(try await person.send(token).outcome == "ok")
    }

    /// 12: A captcha token sends once; the same request within 30 s has the same answer and no second SMS.
    @Test(.unlimitedServer)
    func aCaptchaTokenSendsOneSMS() async throws {
        let token = try await person.captchaToken()
        #expect(try await person.send(token).outcome == "ok")
        #expect(try await person.with("+86-13900000000").send(token).outcome == "SMS.1004")
        server.clock.advance(by: 29)
        #expect(try await person.send(token).outcome == "ok")
        server.clock.advance(by: 1)
        #expect(try await person.send(token).outcome == "SMS.1004")
        #expect(await server.outbox.messages().count == 1)
    }

    /// 12: A captcha token is valid only for its number in any notation, its device and its client; a made-up token is invalid.
    @Test(.preparedServer)
    func aCaptchaTokenIsForItsNumberDeviceAndClient() async throws {
        try await server.add(client: "other")
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

    @Test(.preparedServer)
    func anInventedCaptchaTokenIsRefusedInTheVendorsNotation() async throws {
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

    /// 15: Known, unknown and locked numbers get the same bytes in the answers to sending and logging in.
    @Test(.unlimitedServer)
    func knownUnknownAndLockedNumbersAreAnsweredAlike() async throws {
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
            answers.append(replies.map(\.substance))
        }
        #expect(Set(answers).count == 1, "\(answers)")
        #expect(await server.outbox.messages().map(\.mobile) == [people[0].mobile])
    }
}
