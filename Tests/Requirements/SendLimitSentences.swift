import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

struct SendLimitSentences: ServerTests {
    /// Checks a refusal's time: the limit lasts exactly the stated seconds.
    private static func expectLimit(_ server: LiveServer, for seconds: Int, _ ask: () async throws -> WireReply) async throws {
        let sent = await server.outbox.messages().count
        for (wait, left) in [(0, seconds), (seconds - 1, 1)] where left > 0 {
            server.clock.advance(by: wait)
            let refused = try await ask()
            #expect(refused.status == 429 && refused.outcome == "RATE.1001")
            #expect(refused.retryAfter == left && refused.details["retry_after"] as? Int == left)
            if seconds == 1 { break }
        }
        #expect(await server.outbox.messages().count == sent)
        server.clock.advance(by: 1)
        #expect(try await ask().outcome == "ok")
    }

    @Test(.preparedServer)
    func aNumberGetsOneSMSAMinuteFiveAnHourTenADay() async throws {
        for pause in [60, 60, 60, 60, 3_360, 60, 60, 60, 60, 82_560] {
            #expect(try await person.send().outcome == "ok")
            let refused = try await person.send()
            #expect(refused.status == 429 && refused.outcome == "RATE.1001" && refused.retryAfter == pause)
            server.clock.advance(by: pause)
        }
        #expect(try await person.send().outcome == "ok")
    }

    /// 7: A device gets ten an hour for all numbers together; another device is unaffected.
    @Test(.preparedServer)
    func aDeviceGetsTenSMSAnHour() async throws {
        let device = Person(server, 99)
        for ordinal in 0..<10 { #expect(try await device.with(Person(server, ordinal).mobile).send().outcome == "ok") }
        #expect(try await device.on("device-98").send().outcome == "ok")
        try await Self.expectLimit(server, for: 3_600) { try await device.with(Person(server, 10).mobile).send() }
    }

    /// 7: An address gets sixty an hour for all devices together; another address is unaffected.
    @Test(.preparedServer { $0.standBehindProxy() })
    func anAddressGetsSixtySMSAnHour() async throws {
        let people = (0...61).map { ordinal in
            var person = Person(server, ordinal)
            person.wire.extraFields = [("X-Forwarded-For", ordinal == 61 ? "198.51.100.2" : "198.51.100.1")]
            return person
        }
        for (ordinal, person) in people.prefix(60).enumerated() {
            // A client gets twenty a second.
            if ordinal % 20 == 0 { server.clock.advance(by: 1) }
            #expect(try await person.send().outcome == "ok")
        }
        #expect(try await people[60].send().retryAfter == 3_598)
        server.clock.advance(by: 1)
        #expect(try await people[61].send().outcome == "ok")
        try await Self.expectLimit(server, for: 3_597) { try await people[60].send() }
    }

    @Test(.preparedServer)
    func aClientGetsTwentyASecondAnotherClientIsNotConcerned() async throws {
        try await server.add(client: "other")
        for ordinal in 0..<20 { #expect(try await Person(server, ordinal).send().outcome == "ok") }
        #expect(try await Person(server, 21).at("other").send().outcome == "ok")
        try await Self.expectLimit(server, for: 1) { try await Person(server, 20).send() }
    }

    /// 7: A country that is not the preferred one gets 200 an hour; other countries are unaffected.
    @Test(.preparedServer { $0.limits = .without { $0.smsPerForeignCountry = LimitSettings().smsPerForeignCountry } })
    func aForeignCountryGets200SMSAnHour() async throws {
        let abroad = { @Sendable (ordinal: Int) in Person(server, ordinal).with("+852-9\(String(format: "%07d", ordinal))") }
        // Eight at once, the number of the client's connections.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    for ordinal in 0..<25 {
                        let sent = try await abroad(25 * lane + ordinal).send()
                        #expect(sent.outcome == "ok")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Person(server).send().outcome == "ok")
        #expect(try await Person(server, 1).with("+853-61234567").send().outcome == "ok")
        try await Self.expectLimit(server, for: 3_600) { try await abroad(200).send() }
    }

    @Test(.preparedServer)
    func aDeviceGets120PicturesAMinuteAnotherDeviceIsNotConcerned() async throws {
        for _ in 0..<120 { #expect(try await person.captcha().outcome == "ok") }
        #expect(try await person.on("device-9").captcha().outcome == "ok")
        try await Self.expectLimit(server, for: 60) { try await person.captcha() }
    }

    @Test(.preparedServer)
    func anAddressGets30TriesAtLoggingInAMinuteWhateverTheDevices() async throws {
        for ordinal in 0..<30 { #expect(try await Person(server, ordinal).logIn("000000").outcome == "SMS.1005") }
        let person = Person(server, 30)
        let code = try await person.code()
        try await Self.expectLimit(server, for: 60) { try await person.logIn(code) }
    }

    @Test(.preparedServer)
    func aRefusedRequestUsesUpNoCaptchaTokenAndNoCode() async throws {
        let code = try await person.code()
        server.clock.advance(by: 20)
        let token = try await person.captchaToken()
        let refused = try await person.send(token)
        #expect(refused.status == 429 && refused.retryAfter == 40)
        #expect(try await person.logIn(code).outcome == "ok")
        server.clock.advance(by: 40)
        #expect(try await person.send(token).outcome == "ok")
    }
}
