import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWTCore
import Secrets
import Testing

struct SigningKeyTests {
    private static let day = 86_400

    private func states(_ domain: Domain) async throws -> [KeyState] { try await domain.services.keys.list().map(\.state) }

    private func publishedIDs(_ domain: Domain) async throws -> [String] {
        let document = try JSONSerialization.jsonObject(with: Data(try await domain.services.keys.document().json)) as? [String: Any]
        return (document?["keys"] as? [[String: Any]] ?? []).compactMap { $0["kid"] as? String }
    }

    private func verifies(_ domain: Domain, _ token: String) async throws -> Bool {
        let keys = try KeySet(jwks: String(decoding: try await domain.services.keys.document().json, as: UTF8.self))
        let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: Domain.issuer, clientID: "client-1"))
        return (try? verifier.verify(token, now: NumericDate(seconds: domain.clock.now.seconds))) != nil
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256])
    func theFirstKeySignsFromTheStartRS256UnlessConfigured(_ algorithm: SignatureAlgorithm) async throws {
        let domain = try await Domain(signing: SigningSettings(algorithm: algorithm))
        #expect(SigningSettings().algorithm == .rs256)
        #expect(try await domain.services.keys.list().map { [$0.algorithm, $0.state.rawValue] } == [[algorithm.name, "active"]])
        #expect(try await domain.services.keys.document().algorithms == [algorithm.name])
        #expect(try await verifies(domain, domain.login().idToken))
    }

    @Test
    func whatIsPublishedIsPublicAndItsTagChangesWithItAlone() async throws {
        let domain = try await Domain(signing: SigningSettings())
        let first = try await domain.services.keys.document()
        let json = try #require(try JSONSerialization.jsonObject(with: Data(first.json)) as? [String: [[String: String]]])
        #expect(json["keys"]?.map { Set($0.keys) } == [["kty", "n", "e", "alg", "use", "kid"]])
        #expect(first.entityTag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
        domain.clock.advance(by: 3_600)
        #expect(try await domain.services.keys.document().entityTag == first.entityTag)
        try await domain.services.keys.rotate(now: false)
        #expect(try await domain.services.keys.document().entityTag != first.entityTag)
    }

    @Test func aRotationReportsWhatItDid() async throws {
        let domain = try await Domain()
        let (keys, now) = (domain.services.keys, domain.clock.now)
        let first = try await keys.rotate(now: false)
        #expect(first.outcome == .published && first.key.state == .next && first.signsFrom == now + .seconds(Self.day))
        domain.clock.advance(by: 60)
        var repeated = first
        repeated.outcome = .unchanged
        #expect(try await keys.rotate(now: false) == repeated)
        let hurried = try await keys.rotate(now: true)
        #expect(hurried.outcome == .activated && hurried.key.id == first.key.id && hurried.signsFrom == now + .seconds(60))
        #expect(try await keys.list().map(\.state) == [.retiring, .active])
    }

    /// A retired key stays published for the lifetime of an id_token, the leeway and the caches.
    @Test(arguments: [(-1, true), (0, false)])
    func aRetiredKeyStaysPublishedForItsIdTokens(_ offset: Int, _ isPublished: Bool) async throws {
        let domain = try await Domain(limits: .without())
        let old = try #require(try await publishedIDs(domain).first)
        let token = try await domain.login().idToken
        try await domain.services.keys.rotate(now: true)
        #expect(try await states(domain) == [.retiring, .active])
        #expect(try await verifies(domain, token))
        domain.clock.advance(by: 7_200 + 60 + 600 + offset)
        #expect(try await publishedIDs(domain).contains(old) == isPublished)
        try await domain.services.keys.maintain()
        #expect(try await states(domain) == [isPublished ? .retiring : .gone, .active])
        let sealed = try await domain.store.read { try $0.signingKeys().first?.sealedPrivateKey }
        #expect(sealed == [])
    }

    /// A revoked key verifies nothing from the next call on, even in another process; a new one signs.
    @Test
    func aRevokedKeyVerifiesNothing() async throws {
        let domain = try await Domain(limits: .without())
        let login = try await domain.login()
        let commandLine = try await Domain(in: domain.folder, clock: domain.clock)
        let key = try #require(try await publishedIDs(domain).first)
        try await commandLine.services.keys.revoke(key)
        #expect(try await verifies(domain, login.idToken) == false)
        #expect(try await refusal { try await domain.services.tokens.bearer(login.idToken, for: domain.caller()) }?.code == .expired)
        #expect(try await states(domain) == [.gone, .active])
        #expect(try await verifies(domain, domain.login().idToken))
        await #expect(throws: KeyFailure.unknownKey) { try await commandLine.services.keys.revoke(key) }
    }

    @Test
    func aKeyIsReplacedAt90DaysAfterASuccessorHasBeenPublishedForADay() async throws {
        let domain = try await Domain()
        let keys = domain.services.keys
        domain.clock.advance(by: 89 * Self.day - 1)
        try await keys.maintain()
        #expect(try await states(domain) == [.active])
        domain.clock.advance(by: 1)
        try await keys.maintain()
        #expect(try await states(domain) == [.active, .next])
        domain.clock.advance(by: Self.day)
        try await keys.maintain()
        try await keys.maintain()
        #expect(try await states(domain) == [.retiring, .active])
    }

    @Test
    func twoServersThatStartAtOnceOnOneStoreHaveOneActiveKey() async throws {
        let domain = try await Domain()
        let key = try await publishedIDs(domain)
        try await domain.services.keys.revoke(try #require(key.first))
        _ = await concurrently(8) { _ in try await domain.services.keys.maintain() }
        #expect(try await states(domain).filter { $0 == .active }.count == 1)
    }

    @Test
    func anotherServerKeyOpensNothingAndSaysSo() async throws {
        let domain = try await Domain()
        let policy = try await domain.store.read { try $0.signingPolicy() }
        let services = try Services(
            ServiceEnvironment(
                store: domain.store, clock: domain.clock, serverKey: ServerKey(bytes: [UInt8](repeating: 8, count: 32)),
                issuer: Domain.issuer, gateway: domain.gateway))
        await #expect(throws: KeyFailure.sealedUnderAnotherKey) { try await services.serve() }
        await #expect(throws: KeyFailure.sealedUnderAnotherKey) { try await services.check() }
        #expect(try await domain.store.read { try $0.signingPolicy() } == policy)
        #expect(throws: KeyFailure.serverKeyLength) { try ServerKey(bytes: [1, 2, 3]) }
    }

    @Test
    func noPrivateKeyLiesOpenInTheStore() async throws {
        let domain = try await Domain(signing: SigningSettings())
        let sealed = try #require(try await domain.store.read { try $0.signingKeys().first?.sealedPrivateKey })
        // The object identifier of RSA keys, which every PKCS#8 document of an RSA key contains.
        let identifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
        #expect(sealed.count > 1_000 && Data(sealed).range(of: Data(identifier)) == nil)
    }
}
