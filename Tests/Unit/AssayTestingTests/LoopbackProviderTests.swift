#if HTTP
import AssayTesting
import HTTPGuard
import JWKSCache
import JWTCore
import Testing

/// The provider over real HTTP.
@Suite struct LoopbackProviderTests {
    private static func verifier(_ issuer: String) throws -> RefreshingVerifier {
        // Other tests take the processors meanwhile.
        var policy = RefreshPolicy.availabilityFirst
        policy.waitBudget = .custom(.seconds(60))
        policy.attemptLimit = .seconds(60)
        let keys = RemoteKeySet(.issuer(issuer), policy: policy, transport: try transport())
        return RefreshingVerifier(keys: keys, policy: .idToken(issuer: issuer, clientID: "client-1"))
    }

    @Test func itsTokensAreValidWhileItRotates() async throws {
        let provider = try LoopbackProvider()
        let verifier = try Self.verifier(provider.issuer.identifier)
        #expect(try await verifier.verify(provider.issuer.idToken()).keyID == "key-2")
        try provider.issuer.rotate(to: .rs256)
        #expect(try await verifier.verify(provider.issuer.idToken()).keyID == "key-3")
        #expect(provider.issuer.keyRequests == 2)
    }

    @Test func whileItIsDownItAnswersWith503() async throws {
        let provider = try LoopbackProvider(algorithms: [.es256])
        provider.issuer.isUp = false
        let transport = try Self.transport()
        #expect(try await transport.fetch(OutgoingRequest(document: provider.issuer.keysURL)).status == 503)
        provider.issuer.isUp = true
        let response = try await transport.fetch(OutgoingRequest(document: provider.issuer.keysURL))
        #expect(response.status == 200 && response.body == Array(provider.issuer.jwks.utf8))
        let again = OutgoingRequest(document: provider.issuer.keysURL, entityTag: response.field("ETag"))
        #expect(try await transport.fetch(again).status == 304)
    }

    private static func transport() throws -> GuardedClient {
        var configuration = GuardedClient.Configuration()
        configuration.addresses = AddressPolicy(allowsLoopback: true, allowsPrivate: true)
        configuration.allowsLoopbackHTTP = true
        configuration.limits = RequestLimits(total: .seconds(60), connect: .seconds(60))
        return try GuardedClient(configuration)
    }
}
#endif
