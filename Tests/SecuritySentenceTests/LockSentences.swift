#if IDaaS
import IDaaSServer
import IDaaSTestSupport
import Testing

@Suite("Failures across codes, over HTTP: sentences 5 and 6")
struct LockSentences {
    /// Ten wrong tries in a row, of two codes.
    private static func lock(_ person: Person) async throws -> WireReply {
        try await person.typeWrong(5, for: try await person.code())
        let replies = try await person.typeWrong(5, for: try await person.code())
        #expect(replies.dropLast().allSatisfy { $0.outcome == "SMS.1005" })
        return try #require(replies.last)
    }

    @Test("5: Ten failures in a row lock the number for 15 min, said in minutes and seconds")
    func lock() async throws {
        try await LiveServer.running { server in
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
    }

    @Test("5: The right code is refused while the number is locked, and so is every other device")
    func everywhere() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            let (person, other) = (Person(server), Person(server).on("device-9"))
            let code = try await other.code()
            #expect(try await Self.lock(person).outcome == "LOGIN.1003")
            #expect(try await other.logIn(code).outcome == "LOGIN.1003")
            #expect(try await other.send().outcome == "LOGIN.1003")
            #expect(try await Person(server, 1).logIn(try await Person(server, 1).code()).outcome == "ok")
        }
    }

    @Test("5: Each lock lasts twice as long as the one before, 24 h at most; a success forgives the failures, not a day")
    func doubling() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            let person = Person(server)
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
    }

    @Test("5: No setting lets more than 100 failures pass")
    func most() async throws {
        try await LiveServer.running {
            $0.limits = .without {
                $0.failuresPerNumber = 1_000
                $0.triesPerCode = 1_000
            }
        } _: { server in
            let person = Person(server)
            let replies = try await person.typeWrong(100, for: try await person.code())
            #expect(replies.map(\.outcome) == Array(repeating: "SMS.1005", count: 99) + ["LOGIN.1003"])
        }
    }

    @Test("6: A new code voids the old one and has tries of its own; those of the number go on")
    func resend() async throws {
        try await LiveServer.running {
            $0.limits = .without()
        } _: { server in
            let person = Person(server)
            let old = try await person.code()
            #expect(try await person.typeWrong(3, for: old).map(\.remaining) == [4, 3, 2])
            var new = try await person.code()
            while new == old { new = try await person.code() }
            let voided = try await person.logIn(old)
            #expect(voided.outcome == "SMS.1005" && voided.remaining == 4)
            #expect(try await person.typeWrong(4, for: new).map(\.remaining) == [3, 2, 1, 0])
            // Eight of the number are gone.
            let last = try await person.typeWrong(2, for: try await person.code())
            #expect(last.map(\.outcome) == ["SMS.1005", "LOGIN.1003"])
        }
    }
}
#endif
