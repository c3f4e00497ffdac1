import Foundation
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import LoginSupport
import Testing

struct RefreshSentences: ServerTests {
    private static let path = "/api/v2/sdk/sso/session-token/id-token"

    private static func refreshes(_ server: LiveServer) -> Int {
        server.auditLines.count { $0.contains(#""event":"session.refresh""#) }
    }

    @Test(.flowsServer)
    func the64RefreshesAtOnceInOneProcessAreOneCallWithOneResult() async throws {
        let store = CountingStore(), gate = Gate()
        let live = try LiveFlows(server, store: store)
        let session = try await live.logIn()
        live.requests.hold(Self.path, at: gate)
        let reads = store.reads
        let sessions = await withTaskGroup(of: Session?.self) { group in
            for _ in 0..<64 { group.addTask { await live.flows.sessions.renew().session } }
            // From here on each caller has read the session before the change.
            #expect(await settles { gate.waitingCount == 1 && store.reads == reads + 64 })
            gate.open()
            return await group.reduce(into: [Session?]()) { $0.append($1) }
        }
        #expect(sessions.count == 64 && Set(sessions).count == 1)
        #expect(try #require(sessions.first ?? nil).sessionToken != session.sessionToken)
        #expect(Self.refreshes(server) == 1)
    }

    @Test(.flowsServer)
    func eightProgramsWithOneFileEachByALockOfItsOwnAreOneCall() async throws {
        let folder = try TemporaryFolder()
        let programs = try (0..<8).map { _ in try LiveFlows(server, store: FileSessionStore(path: folder.path + "/session")) }
        let session = try await programs[0].logIn()
        server.clock.advance(by: 7_000)
        for program in programs { program.clock.advance(by: .seconds(server.clock.now.seconds - program.clock.date.seconds)) }
        let tokens = await withTaskGroup(of: String?.self) { group in
            for program in programs { group.addTask { await program.flows.sessions.current().session?.sessionToken } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && tokens != [session.sessionToken] && tokens != [nil])
        #expect(Self.refreshes(server) == 1)
    }

    /// 37: Neither an unreachable nor a broken server ends a session; the same session continues when the server is back.
    @Test
    func aNetworkErrorEndsNoSession() async throws {
        let folder = try TemporaryFolder()
        let first = try await LiveServer(clock: ManualServerClock(LiveFlows.start))
        defer { try? FileManager.default.removeItem(at: first.directory) }
        let live = try LiveFlows(first, store: FileSessionStore(path: folder.path + "/session"))
        let session = try await live.logIn()
        await Turn.children.take()
        defer { Turn.children.leave() }
        // Its port is kept, and no process listens on it.
        try await first.stopKeepingFiles()
        for wait in [0, 7_200] {
            live.advance(by: wait)
            guard case .offline(session, let error) = await live.flows.sessions.renew() else {
                Issue.record("the session is not offline, though no server listens")
                return
            }
            #expect(error.isOffline)
            #expect(try await live.flows.sessions.stored() == session)
        }
        let second = try await LiveServer(clock: first.clock, directory: first.directory) { $0.listen = "127.0.0.1:\(first.ready.port)" }
        let renewed = try await live.flows.sessions.renew().get()
        #expect(renewed.sessionToken != session.sessionToken)
        try await second.spoilStore()
        let broken = await live.flows.sessions.renew()
        #expect(broken.legacyCode == "IDAAS.SDK.COMMON.1008")
        #expect(try await live.flows.sessions.stored() == renewed)
        try await second.stop()
    }

    @Test(.flowsServer)
    func onlyTheRefusal1005EndsASession() async throws {
        let live = try LiveFlows(server)
        let session = try await live.logIn()
        let client = try #require(try await server.server.services.clients.find(LiveServer.client))
        try await server.server.services.administration.removeClient(LiveServer.client)
        let unknown = await live.flows.sessions.renew()
        #expect(unknown.legacyCode == "IDAAS.SDK.COMMON.1012")
        #expect(try await live.flows.sessions.stored() == session)
        // The client is back; its sessions were deleted with it.
        try await server.server.services.store.write { try $0.save(client) }
        let ended = await live.flows.sessions.renew()
        guard case .revoked = ended else {
            Issue.record("the session is not revoked: \(ended)")
            return
        }
        #expect(ended.legacyCode == "IDAAS.SDK.COMMON.1005")
        #expect(try await live.flows.sessions.stored() == nil)
    }
}
