import AssayTesting
import Gateway
import GatewayServer
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Events that are polled (RFC 8936): what is asked, what is acknowledged and when, and what a transmitter that fails costs.
@Suite struct SignalPollTests {
    private static let url = "https://idp.example/poll"
    private static let text = SignalSample.text(SignalSample.poll, listener: "")

    private static func with(
        store: ScriptedStore = ScriptedStore(), first: String = #"{"sets":{}}"#, _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let transport = ScriptedTransport()
        transport.answer(url, first)
        try await RunningGateway.with(text, transport: transport, store: store, body)
    }

    /// The bodies of the questions so far.
    private static func questions(_ gateway: RunningGateway) -> [JSONTree] {
        gateway.transport.requests.filter { $0.url == url }.compactMap { try? JSONTree(parsing: $0.body) }
    }

    /// Moves the clock until `condition` holds.
    private static func comes(_ gateway: RunningGateway, _ condition: @escaping @Sendable () -> Bool) async -> Bool {
        for _ in 0..<200 {
            for _ in 0..<100 where !condition() { await Task.yield() }
            if condition() { return true }
            gateway.clock.advance(by: .seconds(5))
        }
        return false
    }

    private static func sets(_ events: [(String, String)]) -> String {
        #"{"sets":{"# + events.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + #"},"moreAvailable":false}"#
    }

    @Test func aQuestionIsThatOfTheStandard() async throws {
        try await Self.with { gateway async throws in
            #expect(await Self.comes(gateway) { !Self.questions(gateway).isEmpty })
            let request = try #require(gateway.transport.requests.first { $0.url == Self.url })
            #expect(request.method == "POST" && request.first("Content-Type") == "application/json")
            #expect(request.first("Authorization") == "Bearer \(SignalSample.secret)" && request.timeLimit == .seconds(35))
            let question = try JSONTree(parsing: request.body)
            #expect(
                question
                    == .object(["ack": .array([]), "maxEvents": .number("32"), "returnImmediately": .bool(false), "setErrs": .object([:])])
            )
            #expect(!gateway.log.text.contains(SignalSample.secret))
        }
    }

    @Test func anEventIsAcknowledgedOnceItIsWrittenDown() async throws {
        let store = ScriptedStore()
        store.fail(true)
        try await Self.with(store: store) { gateway async throws in
            gateway.transport.answer(Self.url, Self.sets([("set-1", gateway.event())]))
            #expect(await Self.comes(gateway) { store.calls >= 3 })
            // It comes again and again, and nobody acknowledges it.
            #expect(Self.questions(gateway).allSatisfy { $0["ack"] == .array([]) })
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge))?.status == 200)
            store.fail(false)
            #expect(await Self.comes(gateway) { Self.questions(gateway).last?["ack"] == .array([.string("set-1")]) })
            #expect(store.entries.map(\.subject) == [.sessionID("sid-1")])
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge))?.status == 401)
            #expect(!gateway.log.text.contains("eyJ"))
        }
    }

    @Test func anEventThatComesAgainIsAcknowledgedAgain() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            gateway.transport.answer(Self.url, Self.sets([("set-1", gateway.event())]))
            let again = { @Sendable in Self.questions(gateway).count { $0["ack"] == .array([.string("set-1")]) } >= 3 }
            #expect(await Self.comes(gateway, again))
            #expect(store.entries.count == 1)
        }
    }

    @Test func aWrongEventIsReportedAndTheOthersCount() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            let stranger = TokenForge(.es256).token(SignalSample.claims("forged"), type: "secevent+jwt")
            let events = [
                ("set-1", gateway.event()), ("forged", stranger), ("junk", "junk"),
                ("renamed", gateway.event(SignalSample.claims("set-9"))),
                ("set-2", gateway.event(SignalSample.claims("set-2", subject: SignalSample.session("sid-2")))),
            ]
            gateway.transport.answer(Self.url, Self.sets(events))
            #expect(await Self.comes(gateway) { Self.questions(gateway).contains { $0["setErrs"]?.members?.count == 3 } })
            let question = try #require(Self.questions(gateway).first { $0["setErrs"]?.members?.count == 3 })
            #expect(question["ack"] == .array([.string("set-1"), .string("set-2")]))
            for (name, code) in [("forged", "invalid_key"), ("junk", "invalid_request"), ("renamed", "invalid_request")] {
                #expect(question["setErrs"]?[name]?["err"]?.text == code)
            }
            #expect(Set(store.entries.map(\.subject)) == [.sessionID("sid-1"), .sessionID("sid-2")])
        }
    }

    /// What the transmitter was not told is told with the next question that it answers.
    @Test func anAcknowledgementIsNotLostWithAnAnswer() async throws {
        try await Self.with { gateway async throws in
            gateway.transport.answer(Self.url, Self.sets([("set-1", gateway.event())]))
            #expect(await Self.comes(gateway) { Self.questions(gateway).last?["ack"] == .array([.string("set-1")]) })
            gateway.transport.answer(Self.url, status: 503)
            let asked = Self.questions(gateway).count
            #expect(await Self.comes(gateway) { Self.questions(gateway).count > asked + 2 })
            #expect(Self.questions(gateway).suffix(2).allSatisfy { $0["ack"] == .array([.string("set-1")]) })
            gateway.transport.answer(Self.url, #"{"sets":{}}"#)
            #expect(await Self.comes(gateway) { Self.questions(gateway).last?["ack"] == .array([]) })
        }
    }

    @Test(arguments: [
        ("", "malformed_answer"), ("[]", "malformed_answer"), ("<html>", "malformed_answer"), (#"{"sets":[]}"#, "malformed_answer"),
        (#"{"sets":{"a":1}}"#, "malformed_answer"), (#"{"sets":{"a":"b","a":"c"}}"#, "malformed_answer"),
        (#"{"sets":{"":"b"}}"#, "malformed_answer"),
        ("{\"sets\":{" + (0..<257).map { "\"\($0)\":\"x\"" }.joined(separator: ",") + "}}", "malformed_answer"),
    ])
    func anAnswerOfJunkChangesNothing(answer: String, name: String) async throws {
        let store = ScriptedStore()
        try await Self.with(store: store, first: answer) { gateway async throws in
            #expect(await Self.comes(gateway) { gateway.log.text.contains(name) })
            #expect(store.calls == 0)
            #expect(try await gateway.metrics.contains(#"assay_gateway_signals_poll_failures_total{code="\#(name)",stream="idp"}"#))
            gateway.transport.answer(Self.url, Self.sets([("set-1", gateway.event())]))
            #expect(await Self.comes(gateway) { store.entries.count == 1 })
            #expect(await Self.comes(gateway) { gateway.log.text.contains("events are polled again") })
        }
    }

    @Test(arguments: [401, 403, 404, 429, 500, 503]) func aStatusIsAFailure(status: Int) async throws {
        try await Self.with { gateway async throws in
            gateway.transport.answer(Self.url, status: status)
            #expect(await Self.comes(gateway) { gateway.log.text.contains("\"status_\(status)\"") })
            // The first failure is a warning, the others are not.
            #expect(await Self.comes(gateway) { gateway.log.all.count { $0.contains("events were not polled") } > 2 })
            #expect(gateway.log.all.count { $0.contains("events were not polled") && $0.contains("\"warning\"") } == 1)
        }
    }

    @Test func afterAFailureTheWaitGrowsWithJitter() {
        var pace = PollPace(interval: .seconds(1), seed: 1)
        for most in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            let wait = pace.wait(afterFailureAsking: nil)
            #expect(wait >= max(.seconds(1), .seconds(most) / 2) && wait <= .seconds(most), "\(wait) of \(most)")
        }
        #expect(pace.wait(afterFailureAsking: .seconds(100)) == .seconds(100))
        #expect(pace.wait(afterFailureAsking: .seconds(1_000_000)) == .seconds(300))
        // An answer ends the failures.
        #expect(pace.wait(afterNews: true) == .zero && pace.wait(afterNews: false) == .seconds(1))
        #expect(pace.wait(afterFailureAsking: nil) == .seconds(1))
        var other = PollPace(interval: .zero, seed: 2), third = PollPace(interval: .zero, seed: 3)
        #expect(other.wait(afterFailureAsking: nil) != third.wait(afterFailureAsking: nil))
    }

    @Test func anAnswerThatIsTooLargeIsAskedForInParts() async throws {
        try await Self.with { gateway async throws in
            gateway.transport.answer(Self.url, .failure(RequestFailure(.tooLarge)))
            #expect(await Self.comes(gateway) { Self.questions(gateway).last?["maxEvents"]?.integer == 1 })
            gateway.transport.answer(Self.url, #"{"sets":{}}"#)
            #expect(await Self.comes(gateway) { Self.questions(gateway).last?["maxEvents"]?.integer == 32 })
        }
    }

    /// A transmitter that holds a question back for too long.
    @Test func aQuestionWithoutAnAnswerIsAFailure() async throws {
        try await Self.with { gateway async throws in
            #expect(await Self.comes(gateway) { !Self.questions(gateway).isEmpty })
            gateway.transport.answer(Self.url, .failure(RequestFailure(.timedOut)))
            #expect(await Self.comes(gateway) { gateway.log.text.contains("timed_out") })
        }
    }
}
