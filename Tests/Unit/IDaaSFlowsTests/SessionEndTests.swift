import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Events that end a session, and events that do not.
struct SessionEndTests {
    private let tenant: Tenant

    init() throws { tenant = try Tenant() }

    @Test(arguments: [RequestFailure.Reason.connection, .timedOut, .tls, .unresolvedName, .malformed])
    func notReachingTheServerNeverEndsASession(_ reason: RequestFailure.Reason) async throws {
        let session = try await tenant.logIn()
        tenant.server.answer(Path.refresh, .failure(RequestFailure(reason)))
        tenant.clock.advance(by: .seconds(86_400))
        guard case .offline(let kept, let error) = await tenant.flows.sessions.current() else {
            Issue.record("the session is not offline, though the server was not reached")
            return
        }
        #expect(kept == session && kept.isIDTokenExpired(at: tenant.clock.date.seconds) && error.isOffline)
        #expect(try await tenant.flows.sessions.stored() == session)
    }

    /// An offline program does not retry for five seconds, unless it calls `renew`.
    @Test
    func anOfflineProgramRetriesAfterFiveSeconds() async throws {
        try await tenant.logIn(idTokenSeconds: 30)
        tenant.server.answer(Path.refresh, .unreachable)
        for (passed, calls) in [(0, 1), (4, 1), (1, 2)] as [(Int64, Int)] {
            tenant.clock.advance(by: .seconds(passed))
            guard case .offline = await tenant.flows.sessions.current() else {
                Issue.record("the session is not offline, though the server was not reached")
                return
            }
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

    @Test(arguments: kept)
    func noAnswerBut1005EndsASession(_ reply: ScriptedTenant.Reply) async throws {
        let session = try await tenant.logIn()
        tenant.server.answer(Path.refresh, reply)
        guard case .failed = await tenant.flows.sessions.renew() else {
            Issue.record("the refresh does not fail")
            return
        }
        #expect(try await tenant.flows.sessions.stored() == session)
        #expect(await tenant.flows.sessions.current().session == session)
        tenant.clock.advance(by: .seconds(3_600))
        guard case .failed = await tenant.flows.sessions.current() else {
            Issue.record("the refresh does not fail")
            return
        }
    }

    @Test(arguments: [
        ("IDAAS.SDK.COMMON.1005", 0, SessionState.revoked), ("SDK.COMMON.1005", 0, .revoked), ("IDAAS.SDK.PARAM.0023", 0, .revoked),
        ("IDAAS.SDK.COMMON.1005", 604_800, .expired),
    ])
    func theRefusal1005EndsASessionAsRevokedOrExpired(_ code: String, passed: Int64, state: SessionState) async throws {
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
        guard case .signedOut = await tenant.flows.sessions.renew() else {
            Issue.record("an ended session is renewed")
            return
        }
    }

    @Test
    func statesFollowOneAnotherAsTheyHappen() async throws {
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

    static let logouts: [(ScriptedTenant.Reply, Bool, String, Bool)] = [
        (.json("{}"), false, "0", true), (.json("\"ok\""), false, "0", true), (.json(""), true, "0", true),
        (.refusal("IDAAS.SDK.COMMON.1005"), true, "0", true), (.unreachable, false, "0", true), (.unreachable, true, "1", false),
        (.refusal("IDAAS.SDK.COMMON.1008", status: 500), true, "IDAAS.SDK.COMMON.1008", false),
        // A firewall's page is not an answer of the server.
        (.json("<html>"), false, "0", true), (.json("<html>"), true, "1", false),
    ]

    @Test(arguments: logouts)
    func aLogoutEndsTheSessionHereUnlessItWasToEndAllAndCouldNot(
        _ reply: ScriptedTenant.Reply, everywhere: Bool, code: String, isEnded: Bool
    ) async throws {
        try await tenant.logIn()
        tenant.server.answer(Path.logout, reply)
        #expect(await tenant.flows.sessions.logOut(everywhere: everywhere).legacyCode == code)
        #expect(try await (tenant.flows.sessions.stored() == nil) == isEnded)
        let request = try #require(tenant.server.requests(to: Path.logout).first)
        #expect(request.method == "POST" && request.first("session-token") == "s-1" && (request.body("all") != nil) == everywhere)
    }
}
