import HTTPEdge
import IDaaSServer
import IDaaSTestSupport
import JWTCore
import Testing

/// How signals reach receivers that the server pushes to.
struct SignalDeliveryTests {
    private let domain: Domain
    private let receiver = ScriptedReceiver()
    private let metrics = TextMetrics()
    private let services: Services

    init() async throws {
        domain = try await Domain()
        services = Self.services(domain, receiver, metrics)
    }

    /// One at a time, so that the order of the offers is that of the signals.
    private static func services(_ domain: Domain, _ receiver: ScriptedReceiver, _ metrics: TextMetrics, concurrent: Int = 1) -> Services {
        var environment = domain.services.environment.value
        environment.signalReceiver = receiver
        environment.signalMetrics = SignalMetrics(metrics)
        environment.signals.concurrent = concurrent
        return Services(environment)
    }

    /// Sessions that ended, of users that need not be there.
    private func end(_ sessions: Int, of user: String = "u") async throws {
        try await domain.store.write { [now = domain.clock.now] store in
            for session in 1...sessions {
                try store.add(Signal(.sessionRevoked(user: user, session: "s\(session)", by: .user), at: now))
            }
        }
    }

    /// Delivers as the server does, until nothing is due.
    private func deliver(_ services: Services? = nil) async throws {
        let delivery = (services ?? self.services).signalDelivery
        for stream in try await delivery.look().pushes {
            while try await delivery.deliver(to: stream) {}
        }
    }

    /// The sessions of the offers, in their order.
    private var offered: [String] {
        get throws { try receiver.offers.map { try Self.session(in: $0.token) } }
    }

    private static func session(in token: String) throws -> String {
        let subject = try TokenPart.payload.json(in: token)["sub_id"] as? [String: Any]
        return try #require((subject?["session"] as? [String: String])?["id"])
    }

    private static func tokenID(in token: String) throws -> String {
        try #require(try TokenPart.payload.json(in: token)["jti"] as? String)
    }

    // The token

    @Test
    func aTokenVerifiesWithThePublishedKeysAndNoOtherTokenDoes() async throws {
        try await domain.addStream("gateway")
        let login = try await domain.login()
        try await services.sessions.logOut(sessionToken: login.sessionToken, everywhere: false, for: domain.caller())
        domain.clock.advance(by: 3)
        try await deliver()
        let offer = try #require(receiver.offers.first)
        #expect(receiver.offers.count == 1 && offer.url == "https://receiver.example/events" && offer.secret == nil)
        var policy = ClaimsPolicy(issuer: Domain.issuer, audience: "https://gateway.example")
        policy.types = ["secevent+jwt"]
        policy.requiredClaims = ["iss", "aud", "iat", "jti"]
        policy.requiresExpiration = false
        #expect(try await refusal(of: offer.token, policy) == nil)
        #expect(try await refusal(of: login.idToken, policy) == .typeMismatch)
        let asIdToken = ClaimsPolicy.idToken(issuer: Domain.issuer, clientID: "https://gateway.example")
        #expect(try await refusal(of: offer.token, asIdToken) == .typeMismatch)
        let header = try TokenPart.header.json(in: offer.token)
        let key = try Domain.keyID(of: login.idToken)
        #expect(header["typ"] as? String == "secevent+jwt" && header["kid"] as? String == key)
    }

    /// Why a token is refused, with the keys as they are published.
    private func refusal(of token: String, _ policy: ClaimsPolicy) async throws -> VerificationError.Code? {
        let keys = try KeySet(jwks: try await services.keys.document().json)
        let verifier = TokenVerifier(keys: keys, policy: policy)
        do throws(VerificationError) {
            _ = try verifier.verify(token, now: NumericDate(seconds: domain.clock.now.seconds))
            return nil
        } catch {
            return error.code
        }
    }

    private static let user = "{\"format\":\"complex\",\"user\":{\"format\":\"iss_sub\",\"iss\":\"\(Domain.issuer)\",\"sub\":\"u\"}"
    private static let caep = "https://schemas.openid.net/secevent/caep/event-type/"

    @Test(
        arguments: [
            (
                .sessionRevoked(user: "u", session: "s", by: .policy), user + ",\"session\":{\"format\":\"opaque\",\"id\":\"s\"}}",
                "{\"\(caep)session-revoked\":{\"event_timestamp\":1799999999,\"initiating_entity\":\"policy\"}}"
            ),
            (
                .sessionRevoked(user: "u", session: nil, by: .admin), user + "}",
                "{\"\(caep)session-revoked\":{\"event_timestamp\":1799999999,\"initiating_entity\":\"admin\"}}"
            ),
            (
                .credentialChange(user: "u", .app, .delete, by: .user), user + "}",
                "{\"\(caep)credential-change\":{\"event_timestamp\":1799999999,\"initiating_entity\":\"user\","
                    + "\"credential_type\":\"app\",\"change_type\":\"delete\"}}"
            ),
            (
                .verification(state: "V\"\\"), "{\"format\":\"opaque\",\"id\":\"gateway\"}",
                "{\"https://schemas.openid.net/secevent/ssf/event-type/verification\":{\"state\":\"V\\\"\\\\\"}}"
            ),
        ] as [(Signal.Event, String, String)])
    func aTokenSaysWhatHappened(_ event: Signal.Event, _ subject: String, _ events: String) async throws {
        try await domain.addStream("gateway")
        let at = domain.clock.now - .milliseconds(1)
        try await domain.store.write { try $0.add(Signal(event, at: at), to: "gateway") }
        let id = try #require(try await domain.waiting(for: "gateway").first).tokenID
        try await deliver()
        let payload = String(decoding: try TokenPart.payload.bytes(in: try #require(receiver.offers.first).token), as: UTF8.self)
        #expect(
            payload == "{\"iss\":\"\(Domain.issuer)\",\"jti\":\"\(id)\",\"iat\":1800000000,\"aud\":\"https://gateway.example\","
                + "\"sub_id\":\(subject),\"events\":\(events)}")
    }

    // What the receiver says

    @Test
    func whatIsTakenIsNotOfferedAgain() async throws {
        try await domain.addStream("gateway")
        try await domain.addStream("polls", push: nil)
        try await end(70)
        try await deliver()
        try await deliver()
        #expect(try offered == (1...70).map { "s\($0)" })
        #expect(try await domain.waiting(for: "gateway").isEmpty)
        #expect(try await domain.waiting(for: "polls").count == 70)
        #expect(metrics.text.contains("idaas_signals_delivered_total{stream=\"gateway\"} 70\n"))
    }

    @Test(arguments: ["invalid_request", "invalid_key", "invalid_issuer", "invalid_audience", "other"])
    func whatIsRefusedIsNotOfferedAgain(_ code: String) async throws {
        try await domain.addStream("gateway")
        receiver.answer { ordinal, _ in ordinal == 2 ? .refused(code) : .taken }
        try await end(3)
        try await deliver()
        domain.clock.advance(by: 3_600)
        try await deliver()
        #expect(try offered == ["s1", "s2", "s3"])
        #expect(try await domain.waiting(for: "gateway").isEmpty)
        #expect(metrics.text.contains("idaas_signals_refused_total{err=\"\(code)\",stream=\"gateway\"} 1\n"))
    }

    /// After a failure one signal tries, and then all go in their order, each with the `jti` that it had.
    @Test
    func whatFailsIsOfferedAgainInItsOrderWithItsTokenID() async throws {
        try await domain.addStream("gateway")
        receiver.answer { ordinal, _ in ordinal <= 2 ? .failed("status_503") : .taken }
        try await end(5)
        try await deliver()
        #expect(try offered == ["s1"])
        try await deliver()
        #expect(try offered == ["s1"])
        domain.clock.advance(by: 1)
        try await deliver()
        domain.clock.advance(by: 2)
        try await deliver()
        #expect(try offered == ["s1", "s1", "s1", "s2", "s3", "s4", "s5"])
        let ids = try receiver.offers.prefix(3).map { try Self.tokenID(in: $0.token) }
        #expect(Set(ids).count == 1)
        #expect(Set(receiver.offers.map(\.token)).count == 7)
        #expect(metrics.text.contains("idaas_signals_failed_total{stream=\"gateway\"} 2\n"))
    }

    @Test
    func aWaitDoublesUpToFiveMinutesAndHalfOfItIsRandom() {
        let policy = SignalPolicy()
        let spans = [(1, 500, 1_000), (2, 1_000, 2_000), (3, 2_000, 4_000), (9, 128_000, 256_000), (10, 150_000, 300_000)]
        for (failures, least, most) in spans + [(64, 150_000, 300_000), (Int.max, 150_000, 300_000)] {
            #expect(policy.wait(afterFailures: failures, 0) == .milliseconds(least))
            #expect(policy.wait(afterFailures: failures, 1) == .milliseconds(most))
        }
    }

    @Test
    func aReceiverThatAsksForTimeGetsIt() async throws {
        try await domain.addStream("gateway")
        receiver.answer { ordinal, _ in ordinal == 1 ? .failed("status_429", retryAfter: .seconds(120)) : .taken }
        try await end(1)
        try await deliver()
        domain.clock.advance(by: 119)
        try await deliver()
        #expect(receiver.offers.count == 1)
        domain.clock.advance(by: 1)
        try await deliver()
        #expect(receiver.offers.count == 2)
    }

    /// One signal that the receiver stumbles over keeps no other one waiting.
    @Test
    func whereTheReceiverTakesOthersOneThatFailsWaitsByItself() async throws {
        try await domain.addStream("gateway")
        receiver.answer { _, offer in (try? Self.session(in: offer.token)) == "s2" ? .failed("status_500") : .taken }
        try await end(3)
        for _ in 0..<3 { try await deliver() }
        #expect(try offered == ["s1", "s2", "s3"])
        receiver.answer { _, _ in .taken }
        domain.clock.advance(by: 1)
        try await deliver()
        #expect(try offered == ["s1", "s2", "s3", "s2"])
    }

    /// Streams do not wait for each other.
    @Test
    func aStreamThatIsDownLeavesTheOthersAlone() async throws {
        try await domain.addStream("down", push: "https://down.example/")
        try await domain.addStream("up")
        receiver.answer { _, offer in offer.url == "https://down.example/" ? .failed("timed_out") : .taken }
        try await end(2)
        try await deliver()
        #expect(receiver.offers.map(\.url) == ["https://down.example/"] + Array(repeating: "https://receiver.example/events", count: 2))
        #expect(try await domain.waiting(for: "down").count == 2)
    }

    // Several servers

    @Test
    func ofTwoServersOneDelivers() async throws {
        try await domain.addStream("gateway")
        try await end(200)
        let servers = [4, 4].map { Self.services(domain, receiver, metrics, concurrent: $0) }
        let results = await concurrently(2) { server in
            for _ in 0..<20 { try await deliver(servers[server]) }
        }
        #expect(results.values().count == 2)
        let sessions = try offered
        #expect(sessions.count == 200 && Set(sessions).count == 200)
    }

    /// It was killed between its lease and its first try.
    @Test
    func whatAKilledServerHadIsAnothersAfterTheLease() async throws {
        try await domain.addStream("gateway")
        try await end(2)
        let now = domain.clock.now
        try await domain.store.write { store in
            try store.lease(try store.signals(of: "gateway", at: now, limit: 32), until: now + SignalPolicy().lease)
        }
        try await end(1, of: "another")
        domain.clock.advance(by: 29)
        try await deliver()
        #expect(try offered == ["s1"])
        domain.clock.advance(by: 1)
        try await deliver()
        #expect(try offered == ["s1", "s1", "s2"])
    }

    /// What was not offered is another server's at once.
    @Test
    func aServerThatEndsGivesBackWhatItDidNotOffer() async throws {
        try await domain.addStream("gateway")
        receiver.answer { ordinal, _ in ordinal == 1 ? .taken : .unsent }
        try await end(3)
        try await services.signalDelivery.deliver(to: try #require(try await services.signalDelivery.look().pushes.first))
        receiver.answer { _, _ in .taken }
        try await deliver(Self.services(domain, receiver, metrics))
        #expect(try await domain.waiting(for: "gateway").isEmpty)
        #expect(try Set(offered) == ["s1", "s2", "s3"])
    }

    /// A command that ended a session, while the server looks for nothing but what its own transactions ring for, and for the streams.
    @Test
    func aSignalOfAnotherProcessIsPushedAfterTheNextLook() async throws {
        var environment = services.environment.value
        environment.signals.lookWithoutStreams = .seconds(600)
        let services = Services(environment), other = try TestStore.open(in: domain.folder) { _ in }
        try await domain.addStream("gateway")
        let working = Task { await SignalWorker(services: services, logger: LogCapture().logger()).run() }
        for session in ["s1", "s2", "s3"] {
            try await other.write { [now = domain.clock.now] in
                try $0.add(Signal(.sessionRevoked(user: "u", session: session, by: .admin), at: now))
            }
            while try offered.last != session { await Task.yield() }
        }
        working.cancel()
        await working.value
        #expect(try offered == ["s1", "s2", "s3"])
        other.close()
    }

    @Test
    func aLookSaysWhichStreamsHaveSomething() async throws {
        #expect(try await services.signalDelivery.look() == SignalLook())
        let gateway = try await domain.addStream("gateway")
        try await domain.addStream("polls", push: nil)
        #expect(try await services.signalDelivery.look() == SignalLook(hasStreams: true))
        try await end(1)
        var look = SignalLook(hasStreams: true)
        (look.pushes, look.polls) = ([gateway], ["polls"])
        #expect(try await services.signalDelivery.look() == look)
        let ends = domain.clock.now + .seconds(1)
        try await domain.store.write { try $0.pause("gateway", SignalPause(failures: 1, ends: ends)) }
        look.pushes = []
        #expect(try await services.signalDelivery.look() == look)
    }

    // What cannot be delivered

    @Test
    func aSignalThatIsADayOldIsDroppedAndCounted() async throws {
        try await domain.addStream("gateway")
        try await domain.addStream("polls", push: nil)
        receiver.answer { _, _ in .failed("timed_out") }
        try await end(2)
        domain.clock.advance(by: 86_399)
        try await end(1, of: "another")
        try await services.maintain()
        #expect(try await domain.waiting(for: "gateway").count == 3)
        domain.clock.advance(by: 1)
        try await services.maintain()
        for stream in ["gateway", "polls"] {
            #expect(
                try await domain.waiting(for: stream).map(\.signal.event) == [.sessionRevoked(user: "another", session: "s1", by: .user)])
            #expect(metrics.text.contains("idaas_signals_dropped_total{stream=\"\(stream)\"} 2\n"))
        }
    }

    @Test
    func theNumberThatWaitsIsAMetricAsLongAsTheStreamIsThere() async throws {
        try await domain.addStream("gateway")
        try await domain.addStream("polls", push: nil)
        try await end(3)
        try await deliver()
        try await services.signalDelivery.countPending()
        #expect(metrics.text.contains("idaas_signals_pending{stream=\"gateway\"} 0\n"))
        #expect(metrics.text.contains("idaas_signals_pending{stream=\"polls\"} 3\n"))
        try await domain.store.write { _ = try $0.removeSignalStream("polls") }
        try await services.signalDelivery.countPending()
        #expect(metrics.text.contains("gateway") && !metrics.text.contains("polls"))
    }
}
