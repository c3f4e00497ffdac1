import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// What receivers get that poll.
struct SignalPollTests {
    private let domain: Domain
    private let metrics = TextMetrics()
    private let services: Services
    private let stream: SignalStream
    private let secret: String

    init() async throws {
        domain = try await Domain()
        services = Self.services(domain, metrics) { _ in }
        (stream, secret) = try await services.administration.addPolledStream(name: "Gateway", audience: "https://gateway.example")
    }

    private static func services(_ domain: Domain, _ metrics: TextMetrics, _ change: (inout SignalPolicy) -> Void) -> Services {
        var environment = domain.services.environment.value
        environment.signalMetrics = SignalMetrics(metrics)
        change(&environment.signals)
        return Services(environment)
    }

    private func end(_ sessions: ClosedRange<Int>) async throws {
        try await domain.store.write { [now = domain.clock.now] store in
            for session in sessions { try store.add(Signal(.sessionRevoked(user: "u", session: "s\(session)", by: .user), at: now)) }
        }
    }

    private func poll(
        _ maximum: Int? = nil, taken: [String] = [], refused: [String: String] = [:]
    ) async throws -> SignalPolls.Answer {
        var poll = SignalPoll()
        (poll.maximumEvents, poll.returnsImmediately, poll.taken, poll.refused) = (maximum, true, taken, refused)
        return try await services.signalPolls.answer(poll, of: stream)
    }

    private func sessions(_ answer: SignalPolls.Answer) throws -> [String] {
        try answer.sets.map { set in
            let claims = try TokenPart.payload.json(in: set.token)
            #expect(claims["jti"] as? String == set.id && claims["aud"] as? String == "https://gateway.example")
            let subject = claims["sub_id"] as? [String: Any]
            return try #require((subject?["session"] as? [String: String])?["id"])
        }
    }

    @Test
    func aTokenComesAgainUntilItIsAcknowledged() async throws {
        try await end(1...3)
        let first = try await poll(2)
        #expect(try sessions(first) == ["s1", "s2"] && first.isMoreAvailable)
        let again = try await poll(2)
        #expect(again.sets.map(\.id) == first.sets.map(\.id))
        let next = try await poll(2, taken: [first.sets[0].id])
        #expect(try sessions(next) == ["s2", "s3"] && !next.isMoreAvailable)
        #expect(next.sets[0].id == first.sets[1].id)
        let last = try await poll(taken: next.sets.map(\.id))
        #expect(last.sets.isEmpty && !last.isMoreAvailable)
        #expect(try await domain.waiting(for: stream.id).isEmpty)
        #expect(metrics.text.contains("idaas_signals_delivered_total{stream=\"\(stream.id)\"} 3\n"))
    }

    @Test
    func anUnknownAcknowledgementHasNoEffectAndAnotherStreamsNeither() async throws {
        try await domain.addStream("other", push: nil)
        try await end(1...1)
        let others = try await domain.waiting(for: "other").map(\.tokenID)
        let answer = try await poll(taken: others + ["", "1", "9-AAAAAAAAAAAAAAAAAAAAAA", "' OR 1=1 --", "名"], refused: ["x": "other"])
        #expect(answer.sets.count == 1)
        #expect(try await domain.waiting(for: "other").count == 1)
        #expect(!metrics.text.contains("_total"))
    }

    @Test
    func aRefusedTokenIsCountedAndDoesNotComeAgain() async throws {
        try await end(1...2)
        let first = try await poll()
        let answer = try await poll(taken: [first.sets[1].id], refused: [first.sets[0].id: "invalid_key"])
        #expect(answer.sets.isEmpty)
        #expect(metrics.text.contains("idaas_signals_refused_total{err=\"invalid_key\",stream=\"\(stream.id)\"} 1\n"))
        #expect(metrics.text.contains("idaas_signals_delivered_total{stream=\"\(stream.id)\"} 1\n"))
    }

    @Test(arguments: [(0, 0, true), (1, 1, true), (150, 150, false), (Int.max, 150, false)])
    func aReceiverSaysHowManyItTakes(_ maximum: Int, _ count: Int, _ isMore: Bool) async throws {
        try await end(1...150)
        let answer = try await poll(maximum)
        #expect(answer.sets.count == count && answer.isMoreAvailable == isMore)
    }

    @Test
    func aReceiverThatSaysNothingGets100AndNoneGetsMoreThan1000() async throws {
        try await end(1...1_100)
        let counts = (try await poll().sets.count, try await poll(5_000).sets.count)
        #expect(counts == (100, 1_000))
        // An acknowledgement of all of them.
        let taken = try await poll(5_000).sets.map(\.id)
        #expect(try await poll(5_000, taken: taken).sets.count == 100)
    }

    // Waiting

    @Test
    func aPollWaitsForASignalOfThisServer() async throws {
        let services = Self.services(domain, metrics) { $0.longestPoll = .seconds(600) }
        let waiting = Task { [stream] in try await services.signalPolls.answer(SignalPoll(), of: stream) }
        try await end(1...1)
        #expect(try await sessions(waiting.value) == ["s1"])
    }

    /// A command, or another server. No poll looks by itself here.
    @Test
    func aPollThatWaitsIsToldOfASignalOfAnotherProcess() async throws {
        let services = Self.services(domain, metrics) { ($0.longestPoll, $0.lookOfPolls) = (.seconds(600), .seconds(600)) }
        let other = try TestStore.open(in: domain.folder) { _ in }
        let working = Task { await SignalWorker(services: services, logger: LogCapture().logger()).run() }
        let waiting = Task { [stream] in try await services.signalPolls.answer(SignalPoll(), of: stream) }
        while !services.signalPolls.isWaiting(of: [stream.id]) { await Task.yield() }
        try await other.write { [now = domain.clock.now] in
            try $0.add(Signal(.sessionRevoked(user: "u", session: "s1", by: .admin), at: now))
        }
        #expect(try await sessions(waiting.value) == ["s1"])
        working.cancel()
        await working.value
        other.close()
    }

    @Test
    func aPollWaitsNoLongerThanItMay() async throws {
        let services = Self.services(domain, metrics) { $0.longestPoll = .milliseconds(10) }
        let answer = try await services.signalPolls.answer(SignalPoll(), of: stream)
        #expect(answer.sets.isEmpty && !answer.isMoreAvailable)
    }

    /// Others are answered while 50 receivers wait for the few connections of a store.
    @Test
    func whatWaitsHoldsNoConnection() async throws {
        let services = Self.services(domain, metrics) { ($0.longestPoll, $0.polls) = (.seconds(600), 100) }
        let waiting = (0..<50).map { _ in Task { [stream] in try await services.signalPolls.answer(SignalPoll(), of: stream) } }
        for _ in 0..<5 { try await domain.store.check() }
        try await end(1...1)
        for poll in waiting { #expect(try await poll.value.sets.count == 1) }
    }

    @Test
    func aPollThatIsCancelledEnds() async throws {
        let services = Self.services(domain, metrics) { $0.longestPoll = .seconds(600) }
        let waiting = Task { [stream] in try await services.signalPolls.answer(SignalPoll(), of: stream) }
        waiting.cancel()
        _ = try? await waiting.value
    }

    // Secrets

    @Test
    func onlyTheSecretOfThatStreamOpensIt() async throws {
        let (other, otherSecret) = try await services.administration.addPolledStream(name: "Other", audience: "other")
        let pushed = try await domain.addStream("pushed")
        #expect(try await services.signalPolls.stream(stream.id) { secret } == stream)
        for (id, secret) in [
            (stream.id, otherSecret), (other.id, secret), (pushed.id, ""), (pushed.id, secret), ("none", secret), ("", ""),
        ] {
            let refusal = await #expect(throws: RequestRefusal.self) { try await services.signalPolls.stream(id) { secret } }
            #expect(refusal?.status == 401 && refusal?.challenge == "Bearer error=\"invalid_token\"")
        }
        let (_, new) = try await services.administration.changeStreamSecret(stream.id, to: nil)
        await #expect(throws: RequestRefusal.self) { try await services.signalPolls.stream(stream.id) { secret } }
        #expect(try await services.signalPolls.stream(stream.id) { new ?? "" }.id == stream.id)
    }
}
