import Foundation
import IDaaSFlows
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Testing

/// A renewed session while its file cannot be written.
struct UnsavedSessionTests {
    private let folder: TemporaryFolder
    private let store: FileSessionStore
    private let tenant: Tenant

    init() throws {
        folder = try TemporaryFolder()
        store = FileSessionStore(path: folder.path + "/session")
        tenant = try Tenant(store: store)
    }

    /// A folder in the place of the temporary file makes every write fail, even for root.
    private var obstacle: String { folder.path + "/session.new" }

    private func block() throws { try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false) }

    private func unblock() throws { try FileManager.default.removeItem(atPath: obstacle) }

    private var storedToken: String? { get async throws { try await store.contents().session?.sessionToken } }

    /// Logs in with s-1, and renews it to s-2, which is not stored.
    private func renewWithoutStoring() async throws -> SessionOutcome {
        try await tenant.logIn()
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-2"))
        try block()
        return await tenant.flows.sessions.renew()
    }

    @Test
    func aRenewedSessionThatCannotBeStoredIsKeptAndSaid() async throws {
        let outcome = try await renewWithoutStoring()
        guard case .unsaved(let session, let error) = outcome else {
            Issue.record("the renewed session is not unsaved: \(outcome)")
            return
        }
        #expect(session.sessionToken == "s-2" && error.reason == .store(StoreFailure(.unwritable)))
        #expect(outcome.legacyCode == "0" && outcome.failure == nil)
        #expect(try await storedToken == "s-1")
        guard case .unsaved(session, _) = await tenant.flows.sessions.current() else {
            Issue.record("the renewed session is not kept as unsaved")
            return
        }
        #expect(try await tenant.flows.sessions.stored() == session)
        #expect(tenant.server.requests(to: Path.refresh).count == 1)
    }

    @Test
    func theNextUseStoresIt() async throws {
        _ = try await renewWithoutStoring()
        try unblock()
        guard case .active(let session) = await tenant.flows.sessions.current() else {
            Issue.record("the renewed session is not stored by its next use")
            return
        }
        #expect(try await store.contents().session == session && session.sessionToken == "s-2")
    }

    @Test
    func storingIsTriedAgainWithoutAUseAndTheStatesSaySo() async throws {
        try await tenant.logIn()
        var states = await tenant.flows.sessions.stateChanges().makeAsyncIterator()
        #expect(await states.next() == .active)
        _ = try await renewWithoutStoring()
        #expect(await states.next() == .renewing)
        #expect(await states.next() == .unsaved)
        #expect(await settles { tenant.clock.sleeperCount == 1 })
        tenant.clock.advance(by: .seconds(1))
        #expect(await settles { tenant.clock.nextDeadline == .seconds(3) })
        try unblock()
        tenant.clock.advance(by: .seconds(2))
        #expect(await states.next() == .active)
        #expect(try await storedToken == "s-2")
    }

    /// The server treats the replaced token as stolen.
    @Test
    func theReplacedTokenIsNeverSentAgain() async throws {
        _ = try await renewWithoutStoring()
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-3"))
        guard case .unsaved(let session, _) = await tenant.flows.sessions.renew() else {
            Issue.record("the renewed session is not unsaved")
            return
        }
        #expect(session.sessionToken == "s-3")
        try unblock()
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-4"))
        #expect(await tenant.flows.sessions.renew().session?.sessionToken == "s-4")
        #expect(tenant.server.requests(to: Path.refresh).map { $0.first("session-token") } == ["s-1", "s-2", "s-3"])
        tenant.server.answer(Path.logout, .json("{}"))
        try block()
        tenant.server.answer(Path.refresh, Tenant.tokens(session: "s-5"))
        _ = await tenant.flows.sessions.renew()
        try unblock()
        #expect(await tenant.flows.sessions.logOut().legacyCode == "0")
        #expect(tenant.server.requests(to: Path.logout).map { $0.first("session-token") } == ["s-5"])
        guard case .signedOut = await tenant.flows.sessions.current() else {
            Issue.record("a session is active after the logout")
            return
        }
    }

    @Test
    func aLoginOrAnotherProcessReplacesIt() async throws {
        _ = try await renewWithoutStoring()
        try unblock()
        let other = try Tenant(store: FileSessionStore(path: store.path))
        try await other.logIn(session: "s-9")
        #expect(await tenant.flows.sessions.current().session?.sessionToken == "s-9")
        #expect(try await storedToken == "s-9")
    }
}
