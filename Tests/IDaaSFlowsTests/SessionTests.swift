import IDaaSFlows
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// A store that counts how often it was looked into.
final class CountingStore: SessionStore {
    private let store = MemorySessionStore()
    private let count = Guarded(0)

    var reads: Int { count.withLock { $0 } }

    func contents() async throws(FlowError) -> StoredContents {
        let contents = try await store.contents()
        count.withLock { $0 += 1 }
        return contents
    }

    func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await store.exclusively(body)
    }
}

/// A store that is taken away.
final class FailingStore: SessionStore {
    private let store = MemorySessionStore()
    let fails = Guarded(false)

    func contents() async throws(FlowError) -> StoredContents {
        guard !fails.withLock({ $0 }) else { throw FlowError(.store(StoreFailure(.notPrivate))) }
        return try await store.contents()
    }

    func exclusively<Result: Sendable>(
        _ body: @Sendable (inout StoredContents) async throws(FlowError) -> Result
    ) async throws(FlowError) -> Result {
        try await store.exclusively(body)
    }
}

@Suite struct SessionTests {
    @Test("64 who want a refresh at once cause one call, and have one result")
    func singleFlight() async throws {
        let store = CountingStore(), gate = Gate()
        let tenant = try Tenant(store: store)
        try await tenant.logIn()
        let reads = store.reads
        let token = Tenant.idToken(["jti": "new"])
        guard case .response(let reply) = Tenant.tokens(session: "s-2", idToken: token) else { return }
        tenant.server.answer(Path.refresh, .held(gate, reply))
        let sessions = await withTaskGroup(of: Session?.self) { group in
            for _ in 0..<64 { group.addTask { await tenant.flows.sessions.renew().session } }
            // From here on each has seen the session as it was.
            #expect(await settles { gate.waitingCount == 1 && store.reads == reads + 64 })
            gate.open()
            return await group.reduce(into: [Session?]()) { $0.append($1) }
        }
        #expect(Set(sessions.map { $0?.sessionToken }) == ["s-2"] && sessions.count == 64)
        #expect(tenant.server.requests(to: Path.refresh).count == 1)
        #expect(tenant.server.requests(to: Path.refresh).first?.field("session-token") == "s-1")
    }

    @Test("Whoever is cancelled leaves at once; the refresh goes on for the others")
    func firstCallerIsCancelled() async throws {
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

    /// Seconds of the token's life, seconds that pass, and whether it is replaced.
    static let ages: [(Int64, Int64, Bool)] = [
        (7_200, 0, false), (7_200, 6_480, false), (7_200, 6_481, true), (300, 240, false), (300, 241, true), (100, 40, false),
        (100, 41, true),
        (7_200, 8_000, true),
    ]

    @Test("An id_token is replaced on access when a minute or a tenth of its life is left", arguments: ages)
    func earlyRenewal(_ life: Int64, passed: Int64, isReplaced: Bool) async throws {
        let tenant = try Tenant()
        try await tenant.logIn(idTokenSeconds: life)
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        tenant.clock.advance(by: .seconds(passed))
        let outcome = await tenant.flows.sessions.current()
        #expect(outcome.legacyCode == "0" && outcome.session?.sessionToken == (isReplaced ? "s-2" : "s-1"))
        #expect(tenant.server.requests(to: Path.refresh).count == (isReplaced ? 1 : 0))
    }

    @Test(
        "Not reaching the server never ends a session",
        arguments: [TransportFailure.Reason.connection, .timedOut, .tls, .address, .malformed])
    func offline(_ reason: TransportFailure.Reason) async throws {
        let tenant = try Tenant()
        let session = try await tenant.logIn()
        tenant.server.answer(Path.refresh, .failure(TransportFailure(reason)))
        tenant.clock.advance(by: .seconds(86_400))
        guard case .offline(let kept, let error) = await tenant.flows.sessions.current() else { return #expect(Bool(false)) }
        #expect(kept == session && kept.isIDTokenExpired(at: tenant.clock.date.seconds) && error.isOffline)
        #expect(try await tenant.flows.sessions.stored() == session)
    }

    @Test("Whoever is offline is not sent after it again for five seconds, unless they insist")
    func offlinePause() async throws {
        let tenant = try Tenant()
        try await tenant.logIn(idTokenSeconds: 30)
        tenant.server.answer(Path.refresh, .unreachable)
        for (passed, calls) in [(0, 1), (4, 1), (1, 2)] as [(Int64, Int)] {
            tenant.clock.advance(by: .seconds(passed))
            guard case .offline = await tenant.flows.sessions.current() else { return #expect(Bool(false)) }
            #expect(tenant.server.requests(to: Path.refresh).count == calls)
        }
        _ = await tenant.flows.sessions.renew()
        #expect(tenant.server.requests(to: Path.refresh).count == 3)
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        tenant.clock.advance(by: .seconds(5))
        #expect(await tenant.flows.sessions.current().session?.sessionToken == "s-2")
    }

    static let kept: [ScriptedTenant.Reply] = [
        .refusal("IDAAS.SDK.COMMON.1008", status: 500), .refusal("IDAAS.SDK.RATE.1001", status: 429), .json("<html>", status: 502),
        .json(""),
        .refusal("IDAAS.SDK.COMMON.1004"), .refusal("IDAAS.SDK.COMMON.1012"), .json("{}"), .json("<html>", status: 401),
    ]

    @Test("No answer but 1005 ends a session", arguments: kept)
    func otherRefusals(_ reply: ScriptedTenant.Reply) async throws {
        let tenant = try Tenant()
        let session = try await tenant.logIn()
        tenant.server.answer(Path.refresh, reply)
        guard case .failed = await tenant.flows.sessions.renew() else { return #expect(Bool(false)) }
        #expect(try await tenant.flows.sessions.stored() == session)
        #expect(await tenant.flows.sessions.current().session == session)
        tenant.clock.advance(by: .seconds(3_600))
        guard case .failed = await tenant.flows.sessions.current() else { return #expect(Bool(false)) }
    }

    @Test(
        "1005 ends it: revoked before its time, expired after it",
        arguments: [
            ("IDAAS.SDK.COMMON.1005", 0, SessionState.revoked), ("SDK.COMMON.1005", 0, .revoked), ("IDAAS.SDK.PARAM.0023", 0, .revoked),
            ("IDAAS.SDK.COMMON.1005", 604_800, .expired),
        ])
    func ended(_ code: String, passed: Int64, state: SessionState) async throws {
        let tenant = try Tenant()
        try await tenant.logIn()
        tenant.server.answer(Path.refresh, .refusal(code))
        tenant.clock.advance(by: .seconds(passed))
        var states = await tenant.flows.sessions.stateChanges().makeAsyncIterator()
        #expect(await states.next() == (state == .expired ? .expired : .active))
        let outcome = await tenant.flows.sessions.renew()
        #expect(outcome.legacyCode == code && outcome.session == nil)
        #expect(await states.next() == .renewing)
        #expect(await states.next() == state)
        #expect(try await tenant.flows.sessions.stored() == nil)
        guard case .signedOut = await tenant.flows.sessions.renew() else { return #expect(Bool(false)) }
    }

    @Test("States follow one another as they happen")
    func states() async throws {
        let tenant = try Tenant()
        var states = await tenant.flows.sessions.stateChanges().makeAsyncIterator()
        #expect(await states.next() == .signedOut)
        try await tenant.logIn()
        #expect(await states.next() == .active)
        tenant.server.answer(Path.refresh, .unreachable)
        _ = await tenant.flows.sessions.renew()
        #expect(await states.next() == .renewing)
        #expect(await states.next() == .offline)
        tenant.server.answer(Path.refresh, Tenant.tokens())
        _ = await tenant.flows.sessions.renew()
        #expect(await states.next() == .renewing)
        #expect(await states.next() == .active)
        tenant.server.answer(Path.logout, .json(""))
        _ = await tenant.flows.sessions.logOut()
        #expect(await states.next() == .signedOut)
    }

    @Test("A reply without a session token keeps the old one, and one without times keeps the end")
    func tokenStays() async throws {
        let tenant = try Tenant()
        let before = try await tenant.logIn()
        tenant.server.answer(Path.refresh, .json("{\"id_token\":\"\(Tenant.idToken(["jti": "2"]))\"}"))
        let after = try await tenant.flows.sessions.renew().get()
        #expect(after.sessionToken == "s-1" && after.idToken != before.idToken && after.expiresAt == before.expiresAt)
    }

    @Test("A session is never sent for another client or to another tenant")
    func foreignSession() async throws {
        let store = MemorySessionStore()
        try await Tenant(store: store).logIn()
        var configuration = try FlowConfiguration(domain: Tenant.domain, clientID: "client-2")
        configuration.log = .off
        let server = ScriptedTenant()
        let flows = Flows(configuration, FlowEnvironment(transport: server, keyTransport: ScriptedTransport(), store: store))
        guard case .signedOut = await flows.sessions.current() else { return #expect(Bool(false)) }
        #expect(await flows.sessions.logOut().legacyCode == "0")
        #expect(server.requests.isEmpty)
        #expect(try await store.contents().session != nil)
    }

    static let logouts: [(ScriptedTenant.Reply, Bool, String, Bool)] = [
        (.json("{}"), false, "0", true), (.json("\"ok\""), false, "0", true), (.json(""), true, "0", true),
        (.refusal("IDAAS.SDK.COMMON.1005"), true, "0", true), (.unreachable, false, "0", true), (.unreachable, true, "1", false),
        (.refusal("IDAAS.SDK.COMMON.1008", status: 500), true, "IDAAS.SDK.COMMON.1008", false),
        // A firewall's page is no word of the server's.
        (.json("<html>"), false, "0", true), (.json("<html>"), true, "1", false),
    ]

    @Test("A logout ends the session here, unless it was to end all and could not", arguments: logouts)
    func logout(_ reply: ScriptedTenant.Reply, everywhere: Bool, code: String, isEnded: Bool) async throws {
        let tenant = try Tenant()
        try await tenant.logIn()
        tenant.server.answer(Path.logout, reply)
        #expect(await tenant.flows.sessions.logOut(everywhere: everywhere).legacyCode == code)
        #expect(try await (tenant.flows.sessions.stored() == nil) == isEnded)
        let request = try #require(tenant.server.requests(to: Path.logout).first)
        #expect(request.method == "POST" && request.field("session-token") == "s-1" && (request.body("all") != nil) == everywhere)
    }

    @Test("A token that the program keeps is refreshed once for all who ask, and what replaced it stands for it from then on")
    func keptByTheProgram() async throws {
        let store = CountingStore(), gate = Gate()
        let tenant = try Tenant(store: store)
        guard case .response(let reply) = Tenant.tokens(session: "s-2") else { return }
        tenant.server.answer(Path.refresh, .held(gate, reply))
        let flows = tenant.flows
        let sessions = await withTaskGroup(of: Session?.self) { group in
            for _ in 0..<64 { group.addTask { await flows.sessions.renew(sessionToken: "s-1").session } }
            // From here on each has asked while the token was not replaced; the one call looked for the device besides.
            #expect(await settles { gate.waitingCount == 1 && store.reads == 65 })
            gate.open()
            return await group.reduce(into: [Session?]()) { $0.append($1) }
        }
        #expect(Set(sessions.map { $0?.sessionToken }) == ["s-2"] && tenant.server.requests(to: Path.refresh).count == 1)
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-3"))
        #expect(await flows.sessions.renew(sessionToken: "s-1").session?.sessionToken == "s-3")
        #expect(tenant.server.requests(to: Path.refresh).map { $0.field("session-token") } == ["s-1", "s-2"])
        #expect(try await tenant.store.contents().session == nil)
    }

    @Test("A store that lost its device is given one, and whoever refreshes does not wait for ever")
    func lostDevice() async throws {
        let store = MemorySessionStore(), first = try Tenant(store: store)
        try await first.logIn()
        let device = try #require(try await store.contents().device)
        try await store.exclusively { contents in contents.device = nil }
        let second = try Tenant(store: store)
        second.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        #expect(await second.flows.sessions.renew().session?.sessionToken == "s-2")
        #expect(try await store.contents().device?.count == 32)
        // A login puts back what the program knows.
        try await store.exclusively { contents in contents.device = nil }
        try await first.logIn()
        #expect(try await store.contents().device == device)
    }

    @Test("A store that cannot be read says nothing about the session")
    func unreadableStore() async throws {
        let store = FailingStore(), tenant = try Tenant(store: store)
        try await tenant.logIn()
        store.fails.withLock { $0 = true }
        var states = await tenant.flows.sessions.stateChanges().makeAsyncIterator()
        #expect(await states.next() == .active)
        #expect(await tenant.flows.sessions.current().failure?.reason == .store(StoreFailure(.notPrivate)))
    }

    @Test("What was learned of the server's clock outlives the process")
    func rememberedClock() async throws {
        let store = MemorySessionStore(), first = try Tenant(store: store)
        first.server.answer(Path.date, .json(#"{"timestamp":"\#((Tenant.start + 3_600) * 1_000)"}"#))
        _ = try await first.flows.synchroniseClock().get()
        let token = Tenant.idToken(at: Tenant.start + 3_600)
        first.server.answer(Path.login, Tenant.tokens(idToken: token))
        _ = try await first.flows.sms.logIn(mobile: "13800000000", code: "123456").get()
        for asksForSession in [true, false] {
            let second = try Tenant(store: store)
            if asksForSession { #expect(await second.flows.sessions.current().session?.idToken == token) }
            #expect(await second.flows.identity.verify(token).legacyCode == "0")
            #expect(second.flows.clockOffset == .seconds(3_600) && second.server.requests.isEmpty)
        }
    }

    @Test("The user's sessions are asked for with the id_token")
    func list() async throws {
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
        #expect(last.method == "DELETE" && last.field("authorization") == "Bearer \(session.idToken)")
    }

    @Test("No URL has a secret in it")
    func urls() async throws {
        let tenant = try Tenant()
        try await tenant.logIn()
        tenant.server.answer(Path.refresh, Tenant.tokens())
        _ = await tenant.flows.sessions.renew()
        _ = await tenant.flows.sessions.logOut()
        #expect(tenant.server.requests.allSatisfy { !$0.url.contains("?") && !$0.url.contains("s-1") })
    }
}
