#if IDaaS
import Foundation
import IDaaSServer
import JWTCore
import Secrets
import Testing

@Suite("Signing keys")
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

    @Test("The first key signs from the start; RS256 unless configured", arguments: [SignatureAlgorithm.rs256, .es256])
    func first(_ algorithm: SignatureAlgorithm) async throws {
        let domain = try await Domain(signing: SigningSettings(algorithm: algorithm))
        #expect(SigningSettings().algorithm == .rs256)
        #expect(try await domain.services.keys.list().map { [$0.algorithm, $0.state.rawValue] } == [[algorithm.name, "active"]])
        #expect(try await domain.services.keys.document().algorithms == [algorithm.name])
        #expect(try await verifies(domain, domain.login().idToken))
    }

    @Test("What is published is public, and its tag changes with it alone")
    func document() async throws {
        let domain = try await Domain(signing: SigningSettings())
        let first = try await domain.services.keys.document()
        let json = try #require(try JSONSerialization.jsonObject(with: Data(first.json)) as? [String: [[String: String]]])
        #expect(json["keys"]?.map { Set($0.keys) } == [["kty", "n", "e", "alg", "use", "kid"]])
        #expect(first.entityTag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
        domain.clock.advance(3_600)
        #expect(try await domain.services.keys.document().entityTag == first.entityTag)
        try await domain.services.keys.rotate(now: false)
        #expect(try await domain.services.keys.document().entityTag != first.entityTag)
    }

    @Test("A successor is published for 24 h before it signs")
    func publication() async throws {
        let domain = try await Domain(limits: .wide)
        let keys = domain.services.keys
        try await keys.rotate(now: false)
        for _ in 0..<2 {
            #expect(try await states(domain) == [.active, .next])
            #expect(try await publishedIDs(domain).count == 2)
            domain.clock.advance(Self.day / 2 - 1)
            try await keys.maintain()
        }
        let successor = try #require(try await keys.list().last?.id)
        domain.clock.advance(2)
        try await keys.maintain()
        #expect(try await states(domain) == [.retiring, .active])
        let token = try await domain.login().idToken
        #expect(try Domain.keyID(of: token) == successor)
    }

    @Test("A retired key stays published for the lifetime of an id_token, the leeway and the caches", arguments: [(-1, true), (0, false)])
    func overlap(_ offset: Int, _ isPublished: Bool) async throws {
        let domain = try await Domain(limits: .wide)
        let old = try #require(try await publishedIDs(domain).first)
        let token = try await domain.login().idToken
        try await domain.services.keys.rotate(now: true)
        #expect(try await states(domain) == [.retiring, .active])
        #expect(try await verifies(domain, token))
        domain.clock.advance(7_200 + 60 + 600 + offset)
        #expect(try await publishedIDs(domain).contains(old) == isPublished)
        try await domain.services.keys.maintain()
        #expect(try await states(domain) == [isPublished ? .retiring : .gone, .active])
        let sealed = try await domain.store.read { try $0.signingKeys().first?.sealedPrivateKey }
        #expect(sealed == [])
    }

    @Test("A revoked key verifies nothing from the next call on, in another process too; a new one signs")
    func revocation() async throws {
        let domain = try await Domain(limits: .wide)
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

    @Test("A key is replaced at 90 days, after a successor has been published for a day")
    func age() async throws {
        let domain = try await Domain()
        let keys = domain.services.keys
        domain.clock.advance(89 * Self.day - 1)
        try await keys.maintain()
        #expect(try await states(domain) == [.active])
        domain.clock.advance(1)
        try await keys.maintain()
        #expect(try await states(domain) == [.active, .next])
        domain.clock.advance(Self.day)
        try await keys.maintain()
        try await keys.maintain()
        #expect(try await states(domain) == [.retiring, .active])
    }

    @Test("Two servers that start at once on one store have one active key")
    func oneStart() async throws {
        let domain = try await Domain()
        let key = try await publishedIDs(domain)
        try await domain.services.keys.revoke(try #require(key.first))
        _ = await concurrently(8) { _ in try await domain.services.keys.maintain() }
        #expect(try await states(domain).filter { $0 == .active }.count == 1)
    }

    @Test("Another server key opens nothing, and says so")
    func wrongServerKey() async throws {
        let domain = try await Domain()
        let policy = try await domain.store.read { try $0.signingPolicy() }
        let services = try Services(
            store: domain.store, clock: domain.clock, randomness: .system,
            serverKey: ServerKey(bytes: [UInt8](repeating: 8, count: 32)), issuer: Domain.issuer, lifetimes: Lifetimes(),
            limits: LimitSettings(), areaCodes: .standard(), gateway: domain.gateway, signing: SigningSettings(algorithm: .rs256))
        await #expect(throws: KeyFailure.sealedUnderAnotherKey) { try await services.serve() }
        await #expect(throws: KeyFailure.sealedUnderAnotherKey) { try await services.check() }
        #expect(try await domain.store.read { try $0.signingPolicy() } == policy)
        #expect(throws: KeyFailure.serverKeyLength) { try ServerKey(bytes: [1, 2, 3]) }
    }

    @Test("No private key lies open in the store")
    func atRest() async throws {
        let domain = try await Domain(signing: SigningSettings())
        let sealed = try #require(try await domain.store.read { try $0.signingKeys().first?.sealedPrivateKey })
        // The object identifier of RSA keys, which every PKCS#8 document of one has.
        let identifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
        #expect(sealed.count > 1_000 && Data(sealed).range(of: Data(identifier)) == nil)
    }
}
#endif
