import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWTTestSupport
import Testing

@Suite struct DeviceIdentityTests {
    @Test
    func aDevicesIdentityIsMadeOnceAndIsTheSameForEverybodyWhoAsks() async throws {
        let store = MemorySessionStore()
        let tenants = [try Tenant(store: store), try Tenant(store: store)]
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<64 { group.addTask { _ = await tenants[index % 2].flows.areaCodes.list() } }
        }
        let seen = Set(tenants.flatMap { $0.server.requests.map { $0.first("X-device-fingerprint") } })
        #expect(seen == [try await store.contents().device])
    }

    @Test
    func twoStoresHaveTwoIdentitiesOf128Bits() async throws {
        let tenants = [try Tenant(), try Tenant()]
        for tenant in tenants { _ = await tenant.flows.areaCodes.list() }
        let seen = Set(tenants.compactMap { $0.server.requests.first?.first("X-device-fingerprint") })
        #expect(seen.count == 2 && seen.allSatisfy { $0.count == 32 })
    }

    @Test
    func aLogoutKeepsTheDevicesIdentity() async throws {
        let tenant = try Tenant()
        try await tenant.logIn()
        tenant.server.answer(Path.logout, .json("{}"))
        let before = try await tenant.store.contents().device
        #expect(await tenant.flows.sessions.logOut().legacyCode == "0")
        let contents = try await tenant.store.contents()
        #expect(contents.session == nil && contents.device == before && before != nil)
    }
}
