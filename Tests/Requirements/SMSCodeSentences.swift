import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct SMSCodeSentences: ServerTests {
    @Test
    func aCodeHasSixDigitsAndComesFromNeitherTimeNorACounter() async throws {
        // Both servers start at the same instant with empty counters; their clocks stand still.
        let (first, second) = (try await Self.codes(30), try await Self.codes(30))
        let all = first + second
        #expect(all.count == 60 && all.allSatisfy { $0.wholeMatch(of: /[0-9]{6}/) != nil })
        #expect(Set(all).count >= 57)
        #expect(zip(first, second).count { $0 == $1 } <= 2)
        let numbers = try first.map { try #require(Int($0)) }
        #expect(Set(zip(numbers, numbers.dropFirst()).map { ($1 - $0 + 1_000_000) % 1_000_000 }).count >= 27)
        for place in 0..<6 { #expect(Set(all.map { Array($0)[place] }).count >= 7) }
    }

    private static func codes(_ count: Int) async throws -> [String] {
        try await LiveServer.unlimited { server in
            var codes: [String] = []
            for _ in 0..<count { codes.append(try await Person(server).code()) }
            return codes
        }
    }

    @Test(.preparedServer { $0.lifetimes.code = .seconds(600) })
    func aCodeLasts600SAtMostAServerThatIsToldMoreDoesNotStart() async throws {
        await #expect(throws: ConfigurationError("lifetimes.code: between 1 and 600, not 601")) {
            try await LiveServer.running {
                $0.lifetimes.code = .seconds(601)
            } _: { _ in
            }
        }
        for (ordinal, row) in [(599, "ok"), (600, "SMS.1005")].enumerated() {
            let person = Person(server, ordinal)
            let sent = try await person.wire.post(
                "/api/v2/sdk/sms/send",
                ["mobile": person.mobile, "type": "LOGIN_SMS", "captcha_token": try await person.captchaToken()],
                adding: [("Prefer", "return=representation")])
            #expect(sent.integer("expire") == 600)
            server.clock.advance(by: row.0)
            #expect(try await person.logIn(try await server.lastCode(of: person.mobile)).outcome == row.1, "\(row.0) s")
        }
    }

    /// 3: A right code succeeds once; the same request again is SMS.1005 and does not count.
    @Test(.preparedServer)
    func aCodeSucceedsOnce() async throws {
        let code = try await person.code()
        #expect(try await person.logIn(code).outcome == "ok")
        // More than the attempts of a number, a device and an address.
        for _ in 0..<40 { #expect(try await person.logIn(code).outcome == "SMS.1005") }
        server.clock.advance(by: 60)
        #expect(try await person.logIn(try await person.code()).outcome == "ok")
    }

    @Test(.preparedServer)
    func fiveWrongTriesDestroyACodeAndSayHowManyAreLeft() async throws {
        let (person, neighbour) = (Person(server), Person(server, 1))
        let (code, other) = (try await person.code(), try await neighbour.code())
        let wrong = try await person.typeWrong(5, for: code)
        #expect(wrong.map(\.outcome) == Array(repeating: "SMS.1005", count: 5))
        #expect(wrong.map(\.remaining) == [4, 3, 2, 1, 0])
        let right = try await person.logIn(code)
        #expect(right.outcome == "SMS.1005" && right.remaining == nil)
        // The code is destroyed; the address is not blocked.
        #expect(try await neighbour.logIn(other).outcome == "ok")
    }

    @Test(.preparedServer)
    func fourWrongTriesLeaveTheRightOne() async throws {
        let code = try await person.code()
        try await person.typeWrong(4, for: code)
        #expect(try await person.logIn(code).outcome == "ok")
    }

    /// 4: An attacker cannot destroy a code or lock a number from another device, with another client or without a valid code.
    @Test(.unlimitedServer)
    func aStrangerNeitherSpoilsACodeNorLocksANumber() async throws {
        try await server.add(client: "other")
        #expect(try await person.typeWrong(20, for: "").allSatisfy { $0.outcome == "SMS.1005" && $0.remaining == nil })
        let code = try await person.code()
        for stranger in [person.on("device-9"), person.at("other")] {
            #expect(try await stranger.typeWrong(20, for: code).allSatisfy { $0.outcome == "SMS.1005" && $0.remaining == nil })
        }
        #expect(try await person.logIn(code).outcome == "ok")
    }

    @Test(.preparedServer, arguments: SMSPurpose.documented)
    func aCodeOfOneTypeIsNoneOfAnother(_ type: SMSPurpose) async throws {
        let code = try await person.code()
        // The test stores this code where a code of `type` would be.
        try await server.server.services.store.write { [mobile = person.mobile] store in
            let sent = try #require(try store.singleUses(of: mobile).first { $0.purpose.rawValue == "code.LOGIN_SMS" })
            var (moved, spoiled) = (sent, sent)
            spoiled.content = []
            try store.save(spoiled)
            moved.purpose = SingleUse.Purpose(rawValue: "code.\(type.rawValue)")
            try store.save(moved)
        }
        #expect(try await person.logIn(code).outcome == (type == .login ? "ok" : "SMS.1005"))
        server.clock.advance(by: 60)
        let token = try await person.captchaToken()
        let sent = try await person.wire.send(to: person.mobile, captchaToken: token, type: type.rawValue)
        // Codes that continue a login need its state token.
        let isStep = [SMSPurpose.register, .bindMobile, .secondFactor].contains(type)
        #expect(sent.outcome == (type == .login ? "ok" : isStep ? "COMMON.1001" : "SMS.1007"))
    }

    @Test(.preparedServer)
    func aCodeBelongsToTheClientAndTheDeviceThatAskedForIt() async throws {
        try await server.add(client: "other")
        let code = try await person.code()
        #expect(try await person.at("other").logIn(code).outcome == "SMS.1005")
        #expect(try await person.on("device-9").logIn(code).outcome == "SMS.1005")
        #expect(try await person.logIn(code).outcome == "ok")
    }
}
