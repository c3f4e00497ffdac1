import IDaaSServer
import IDaaSTestSupport
import JWTCore
import SharedSignals
import Testing

/// Many sessions that end together, for receivers that take them in one token.
struct SignalBundleTests {
    private let quick: QuickLogins
    private let receiver = ScriptedReceiver()
    private let services: Services

    init() async throws {
        quick = try await QuickLogins()
        var environment = quick.services.environment.value
        environment.signalReceiver = receiver
        services = Services(environment)
        try await quick.domain.addStream("bundles", bundles: true)
        try await quick.domain.addStream("each")
    }

    @Test
    func theSessionsOfARemovedClientAreOneSignalForAReceiverThatWantsBundles() async throws {
        try await quick.addUsers(3)
        var sessions: [String] = []
        for user in 0..<3 { sessions.append(try await quick.login(user).sid) }
        let ended = try await quick.login(0, device: "D2")
        try await services.sessions.logOut(sessionToken: ended.sessionToken, everywhere: false, for: quick.domain.caller("D2"))
        try await services.administration.removeClient("client-1")
        #expect(
            try await events("bundles") == [
                .sessionRevoked(user: ended.userID, session: ended.sid, by: .user), .sessionsRevoked(sessions.sorted(), by: .admin),
            ])
        #expect(try await events("each").count == 4)
    }

    private func events(_ stream: String) async throws -> [Signal.Event] {
        try await quick.domain.events(for: stream).filter { if case .credentialChange = $0 { false } else { true } }
    }

    /// 401 sessions, which the store has without a login.
    @Test
    func aTokenHasAtMostFourHundredSessionsAndAReceiverReadsIt() async throws {
        try await quick.addUsers(1)
        let first = try await quick.login()
        try await quick.domain.store.write { store in
            guard var session = try store.session(first.sid) else { throw Domain.Missing() }
            session.status = nil
            for place in 100..<500 {
                session.id = "\(place)-567890123456789012"
                try store.save(session)
            }
        }
        try await services.administration.removeClient("client-1")
        let stream = try #require(try await services.signalDelivery.look().pushes.first { $0.id == "bundles" })
        while try await services.signalDelivery.deliver(to: stream) {}
        let keys = try KeySet(jwks: try await services.keys.document().json)
        let policy = ClaimsPolicy.securityEvents(issuer: Domain.issuer, audience: "https://bundles.example")
        let verifier = SecurityEventVerifier(keys: keys, policy: policy)
        let now = NumericDate(seconds: quick.domain.clock.now.seconds)
        let counts = try receiver.offers.flatMap { try verifier.verify($0.token, now: now).events }.compactMap { event -> Int? in
            if case .sessionsRevoked(let sessions, _) = event { sessions.count } else { nil }
        }
        #expect(counts.sorted() == [1, 400])
        #expect(receiver.offers.allSatisfy { $0.token.utf8.count <= TokenLimits.standard.tokenBytes })
    }
}
