import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// A store that can fail.
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

/// The data kept between processes, and its owner.
struct SessionStoreTests {
    @Test
    func aSessionIsNeverSentForAnotherClientOrToAnotherTenant() async throws {
        let store = MemorySessionStore()
        try await Tenant(store: store).logIn()
        var configuration = try FlowConfiguration(domain: Tenant.domain, clientID: "client-2")
        configuration.log = .off
        let server = ScriptedTenant()
        let flows = Flows(configuration, FlowEnvironment(transport: server, keyTransport: ScriptedTransport(), store: store))
        guard case .signedOut = await flows.sessions.current() else {
            Issue.record("another client uses the session")
            return
        }
        #expect(await flows.sessions.logOut().legacyCode == "0")
        #expect(server.requests.isEmpty)
        #expect(try await store.contents().session != nil)
    }

    /// A store that lost its device gets a new one, and a refresh does not wait forever.
    @Test
    func lostDevice() async throws {
        let store = MemorySessionStore(), first = try Tenant(store: store)
        try await first.logIn()
        let device = try #require(try await store.contents().device)
        try await store.exclusively { contents in contents.device = nil }
        let second = try Tenant(store: store)
        second.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        #expect(await second.flows.sessions.renew().session?.sessionToken == "s-2")
        #expect(try await store.contents().device?.count == 32)
        // A login restores the known device.
        try await store.exclusively { contents in contents.device = nil }
        try await first.logIn()
        #expect(try await store.contents().device == device)
    }

    @Test
    func aStoreThatCannotBeReadSaysNothingAboutTheSession() async throws {
        let store = FailingStore(), tenant = try Tenant(store: store)
        try await tenant.logIn()
        store.fails.withLock { $0 = true }
        var states = await tenant.flows.sessions.stateChanges().makeAsyncIterator()
        #expect(await states.next() == .active)
        #expect(await tenant.flows.sessions.current().failure?.reason == .store(StoreFailure(.notPrivate)))
    }

    @Test
    func whatWasLearnedOfTheServersClockOutlivesTheProcess() async throws {
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
}
