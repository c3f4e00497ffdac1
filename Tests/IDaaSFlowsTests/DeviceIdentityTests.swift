import IDaaSFlows
import JWTTestSupport
import Testing

@Suite struct DeviceIdentityTests {
    @Test("A device's identity is made once, and is the same for everybody who asks")
    func madeOnce() async throws {
        let store = MemorySessionStore()
        let tenants = [try Tenant(store: store), try Tenant(store: store)]
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<64 { group.addTask { _ = await tenants[index % 2].flows.areaCodes.list() } }
        }
        let seen = Set(tenants.flatMap { $0.server.requests.map { $0.field("X-device-fingerprint") } })
        #expect(seen == [try await store.contents().device])
    }

    @Test("Two stores have two identities of 128 bits")
    func notDerived() async throws {
        let tenants = [try Tenant(), try Tenant()]
        for tenant in tenants { _ = await tenant.flows.areaCodes.list() }
        let seen = Set(tenants.compactMap { $0.server.requests.first?.field("X-device-fingerprint") })
        #expect(seen.count == 2 && seen.allSatisfy { $0.count == 32 })
    }

    @Test("Logging out keeps it")
    func outlivesTheSession() async throws {
        let tenant = try Tenant()
        try await tenant.logIn()
        tenant.server.answer(Path.logout, .json("{}"))
        let before = try await tenant.store.contents().device
        #expect(await tenant.flows.sessions.logOut().legacyCode == "0")
        let contents = try await tenant.store.contents()
        #expect(contents.session == nil && contents.device == before && before != nil)
    }
}
