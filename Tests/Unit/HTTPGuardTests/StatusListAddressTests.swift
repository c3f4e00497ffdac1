import HTTPGuard
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Testing

/// A list at an address that `GuardedClient` does not permit, though the configuration names its origin.
struct StatusListAddressTests {
    @Test(arguments: [
        "https://10.0.0.1", "https://127.0.0.1", "https://169.254.169.254", "https://192.168.1.1", "https://[::1]", "https://[fd00::1]",
        "https://[::ffff:10.0.0.1]", "https://2130706433", "https://0x7f000001",
    ])
    func aPrivateAddressIsNotRequested(origin: String) async throws {
        let issuer = try StatusListIssuer("https://idp.example", origins: [origin], keys: TokenForge(.edDSA).keySet)
        let lists = StatusLists([issuer], transport: try GuardedClient())
        #expect(lists.verdict(index: 0, uri: "\(origin)/1", issuer: "https://idp.example").finding == .unknownList)
        #expect(await settles { lists.statuses.allSatisfy { !$0.isFetching } })
        #expect(lists.statuses.map(\.lastFailure) == ["fetch_forbidden_address"])
        #expect(lists.verdict(index: 0, uri: "\(origin)/1", issuer: "https://idp.example").isAdmitted == false)
    }
}
