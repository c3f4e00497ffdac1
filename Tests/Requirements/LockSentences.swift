import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct LockSentences: ServerTests {
    /// Ten wrong attempts in a row, at two codes.
    private static func lock(_ person: Person) async throws -> WireReply {
        try await person.typeWrong(5, for: try await person.code())
        let replies = try await person.typeWrong(5, for: try await person.code())
        #expect(replies.dropLast().allSatisfy { $0.outcome == "SMS.1005" })
        return try #require(replies.last)
    }

    /// 5: Ten failures in a row lock the device for the number for 15 min, stated in minutes and seconds.
    @Test(.preparedServer)
    func tenFailuresLockTheDeviceForFifteenMinutes() async throws {
        var person = Person(server)
        person.wire.language = "en"
        try await person.typeWrong(5, for: try await person.code())
        server.clock.advance(by: 60)
        let replies = try await person.typeWrong(5, for: try await person.code())
        #expect(replies.map(\.outcome) == Array(repeating: "SMS.1005", count: 4) + ["LOGIN.1003"])
        let locked = try #require(replies.last)
        #expect(locked.details["args"] as? [String] == ["15", "0"] && locked.details["retry_after"] as? Int == 900)
        #expect(locked.errorText?.contains("15") == true)
        server.clock.advance(by: 899)
        let still = try await person.send()
        #expect(still.outcome == "LOGIN.1003" && still.details["args"] as? [String] == ["0", "1"])
        server.clock.advance(by: 1)
        #expect(try await person.logIn(try await person.code()).outcome == "ok")
    }

    @Test(.unlimitedServer)
    func aStrangerLocksANumberOnTheStrangersDeviceAlone() async throws {
        try await server.add(client: "other")
        let (owner, stranger) = (Person(server), Person(server).on("device-9"))
        let code = try await owner.code()
        #expect(try await Self.lock(stranger).outcome == "LOGIN.1003")
        #expect(try await stranger.logIn(code).outcome == "LOGIN.1003")
        #expect(try await stranger.at("other").send().outcome == "LOGIN.1003")
        #expect(try await owner.logIn(code).outcome == "ok")
        #expect(try await owner.on("device-8").logIn(try await owner.on("device-8").code()).outcome == "ok")
        let another = stranger.with("+86-13900000000")
        #expect(try await another.logIn(try await another.code()).outcome == "ok")
        // The owner's success does not clear the other device's failures.
        #expect(try await stranger.send().outcome == "LOGIN.1003")
    }

    /// 5: With any number of devices, a number's codes can be guessed at fifty times a day, and the owner's unused code stays valid.
    @Test(.preparedServer)
    func aNumbersCodesAreGuessedAtFiftyTimesADay() async throws {
        let (owner, start) = (Person(server), server.clock.now)
        var guesses = 0
        var device = 0
        while server.clock.now < start + .seconds(86_400) {
            let stranger = owner.on("device-\(100 + device)")
            let sent = try await stranger.send()
            guard sent.outcome == "ok" else {
                server.clock.advance(by: try #require(sent.retryAfter))
                continue
            }
            device += 1
            let code = try await server.lastCode(of: owner.mobile)
            guesses += try await stranger.typeWrong(6, for: code).count { $0.remaining != nil }
            server.clock.advance(by: 60)
        }
        #expect(guesses == 50)
        let code = try await owner.code()
        for device in 0..<5 { try await owner.on("device-\(200 + device)").typeWrong(5, for: code) }
        #expect(try await owner.logIn(code).outcome == "ok")
    }

    /// 5: Each lock lasts twice as long as the previous one, 24 h at most. A success clears the failures; a day without a lock does not.
    @Test(.unlimitedServer)
    func eachLockLastsTwiceAsLongAsTheOneBefore() async throws {
        for seconds in [900, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400] {
            let locked = try await Self.lock(person)
            #expect(locked.outcome == "LOGIN.1003" && locked.details["retry_after"] as? Int == seconds)
            server.clock.advance(by: seconds)
        }
        try await person.typeWrong(4, for: try await person.code())
        #expect(try await person.logIn(try await person.code()).outcome == "ok")
        // Six more would have made ten in a row.
        let replies = try await person.typeWrong(5, for: try await person.code()) + person.typeWrong(4, for: try await person.code())
        #expect(replies.allSatisfy { $0.outcome == "SMS.1005" })
        #expect(try await person.logIn(try await person.code()).outcome == "ok")
    }

    @Test
    func aHundredFailuresLockANumberAtTheLatest() async throws {
        await #expect(throws: ConfigurationError("limits.failuresPerDevice: between 1 and 100, not 101")) {
            try await LiveServer.running {
                $0.limits.failuresPerDevice = 101
            } _: { _ in
            }
        }
        try await LiveServer.running {
            $0.limits = .without {
                $0.failuresPerDevice = 100
                $0.triesPerCode = 1_000
            }
        } _: { server in
            let person = Person(server)
            let replies = try await person.typeWrong(100, for: try await person.code())
            #expect(replies.map(\.outcome) == Array(repeating: "SMS.1005", count: 99) + ["LOGIN.1003"])
        }
    }

    @Test(.unlimitedServer)
    func aNewCodeVoidsTheOldOneAndHasTriesOfItsOwn() async throws {
        let old = try await person.code()
        #expect(try await person.typeWrong(3, for: old).map(\.remaining) == [4, 3, 2])
        var new = try await person.code()
        while new == old { new = try await person.code() }
        let voided = try await person.logIn(old)
        #expect(voided.outcome == "SMS.1005" && voided.remaining == 4)
        #expect(try await person.typeWrong(4, for: new).map(\.remaining) == [3, 2, 1, 0])
        // The device has used eight attempts.
        let last = try await person.typeWrong(2, for: try await person.code())
        #expect(last.map(\.outcome) == ["SMS.1005", "LOGIN.1003"])
    }
}
