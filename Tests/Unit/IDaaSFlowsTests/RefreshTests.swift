import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import LoginSupport
import Testing

/// Refreshing: early, once for all callers, and with a successor.
struct RefreshTests {
    @Test
    func the64WhoWantARefreshAtOnceCauseOneCallAndHaveOneResult() async throws {
        let store = CountingStore(), gate = Gate()
        let tenant = try Tenant(store: store)
        try await tenant.logIn()
        let reads = store.reads
        let token = Tenant.idToken(["jti": "new"])
        guard case .response(let reply) = Tenant.tokens(session: "s-2", idToken: token) else { return }
        tenant.server.answer(Path.refresh, .held(gate, reply))
        let sessions = await withTaskGroup(of: Session?.self) { group in
            for _ in 0..<64 { group.addTask { await tenant.flows.sessions.renew().session } }
            // From here on each caller has read the session before the change.
            #expect(await settles { gate.waitingCount == 1 && store.reads == reads + 64 })
            gate.open()
            return await group.reduce(into: [Session?]()) { $0.append($1) }
        }
        #expect(Set(sessions.map { $0?.sessionToken }) == ["s-2"] && sessions.count == 64)
        #expect(tenant.server.requests(to: Path.refresh).count == 1)
        #expect(tenant.server.requests(to: Path.refresh).first?.first("session-token") == "s-1")
    }

    @Test
    func aCancelledCallerLeavesTheRefreshRunning() async throws {
        let tenant = try Tenant(), gate = Gate()
        try await tenant.logIn()
        guard case .response(let reply) = Tenant.tokens(session: "s-2") else { return }
        tenant.server.answer(Path.refresh, .held(gate, reply))
        let first = Task { await tenant.flows.sessions.renew() }
        #expect(await settles { gate.waitingCount == 1 })
        let second = Task { await tenant.flows.sessions.renew() }
        first.cancel()
        #expect(await first.value.failure?.reason == .cancelled)
        gate.open()
        #expect(await second.value.session?.sessionToken == "s-2")
        #expect(try await tenant.flows.sessions.stored()?.sessionToken == "s-2")
    }

    /// The token's lifetime, the elapsed time, both in seconds, and whether it is replaced.
    static let ages: [(Int64, Int64, Bool)] = [
        (7_200, 0, false), (7_200, 6_480, false), (7_200, 6_481, true), (300, 240, false), (300, 241, true), (100, 40, false),
        (100, 41, true),
        (7_200, 8_000, true),
    ]

    @Test(arguments: ages)
    func anIdTokenIsReplacedShortlyBeforeItExpires(_ life: Int64, passed: Int64, isReplaced: Bool) async throws {
        let tenant = try Tenant()
        try await tenant.logIn(idTokenSeconds: life)
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        tenant.clock.advance(by: .seconds(passed))
        let outcome = await tenant.flows.sessions.current()
        #expect(outcome.legacyCode == "0" && outcome.session?.sessionToken == (isReplaced ? "s-2" : "s-1"))
        #expect(tenant.server.requests(to: Path.refresh).count == (isReplaced ? 1 : 0))
    }

    /// A token that the program stores is refreshed once for all callers, and then means its replacement.
    @Test
    func aSessionKeptByTheProgramIsRefreshedOnce() async throws {
        let store = CountingStore(), gate = Gate()
        let tenant = try Tenant(store: store)
        guard case .response(let reply) = Tenant.tokens(session: "s-2") else { return }
        tenant.server.answer(Path.refresh, .held(gate, reply))
        let flows = tenant.flows
        let sessions = await withTaskGroup(of: Session?.self) { group in
            for _ in 0..<64 { group.addTask { await flows.sessions.renew(sessionToken: "s-1").session } }
            // From here on each call was made before the token was replaced; the one request also read the device.
            #expect(await settles { gate.waitingCount == 1 && store.reads == 65 })
            gate.open()
            return await group.reduce(into: [Session?]()) { $0.append($1) }
        }
        #expect(Set(sessions.map { $0?.sessionToken }) == ["s-2"] && tenant.server.requests(to: Path.refresh).count == 1)
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-3"))
        #expect(await flows.sessions.renew(sessionToken: "s-1").session?.sessionToken == "s-3")
        #expect(tenant.server.requests(to: Path.refresh).map { $0.first("session-token") } == ["s-1", "s-2"])
        #expect(try await tenant.store.contents().session == nil)
    }

    /// A reply without a session token keeps the old one, and a reply without times keeps the expiry.
    @Test
    func aReplyWithoutASessionTokenKeepsTheOldOne() async throws {
        let tenant = try Tenant()
        let before = try await tenant.logIn()
        tenant.server.answer(Path.refresh, .json("{\"id_token\":\"\(Tenant.idToken(["jti": "2"]))\"}"))
        let after = try await tenant.flows.sessions.renew().get()
        #expect(after.sessionToken == "s-1" && after.idToken != before.idToken && after.expiresAt == before.expiresAt)
    }

    @Test
    func theUsersSessionsAreAskedForWithTheIdToken() async throws {
        let tenant = try Tenant()
        let session = try await tenant.logIn()
        tenant.server.answer(
            "/api/v2/sdk/sessions",
            .json(
                #"{"sessions":[{"id":"f-1","device_name":"iOS 17","created_at":"1700000001000","last_used_at":"1700000002999","#
                    + #""expires_at":"1700000003000","current":true},{}]}"#
            ))
        tenant.server.answer("/api/v2/sdk/sessions/f-1", .json(""))
        let list = try await tenant.flows.sessions.list().get()
        #expect(list.map(\.id) == ["f-1"] && list[0].isCurrent && list[0].deviceName == "iOS 17" && list[0].usedAt == 1_700_000_002)
        #expect(await tenant.flows.sessions.end("f-1").legacyCode == "0")
        #expect(await tenant.flows.sessions.end("../logout").failure?.reason == .invalidInput("id"))
        let last = try #require(tenant.server.requests.last)
        #expect(last.method == "DELETE" && last.first("authorization") == "Bearer \(session.idToken)")
    }

    /// An application may give a token by mistake.
    @Test
    func theLogHasNoIdentifierOfASession() async throws {
        let lines = Guarded([String]())
        let tenant = try Tenant { $0.log = FlowLog { line in lines.withLock { $0.append(line) } } }
        try await tenant.logIn(session: "s-secret")
        tenant.server.answer("/api/v2/sdk/sessions/s-secret", .json(""))
        #expect(await tenant.flows.sessions.end("s-secret").legacyCode == "0")
        let log = lines.withLock { $0 }.joined(separator: "\n")
        #expect(log.contains("DELETE /api/v2/sdk/sessions/{id} 200") && !log.contains("s-secret"))
    }

    @Test
    func noURLHasASecretInIt() async throws {
        let tenant = try Tenant()
        try await tenant.logIn()
        tenant.server.answer(Path.refresh, Tenant.tokens())
        _ = await tenant.flows.sessions.renew()
        _ = await tenant.flows.sessions.logOut()
        #expect(tenant.server.requests.allSatisfy { !$0.url.contains("?") && !$0.url.contains("s-1") })
    }
}
