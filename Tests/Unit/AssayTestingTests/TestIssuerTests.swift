import AssayTesting
import JWKSCache
import JWTCore
import Testing

/// An issuer in memory, seen by a key set that fetches from it.
@Suite struct TestIssuerTests {
    private let clock = ManualClock(date: 1_700_000_000)
    private let issuer: TestIssuer
    private let verifier: RefreshingVerifier

    init() throws {
        issuer = try TestIssuer(clock: clock)
        let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, loading: .lazy, clock: clock)
        verifier = RefreshingVerifier(keys: keys, policy: .idToken(issuer: issuer.identifier, clientID: "client-1"), clock: clock)
    }

    private func verdict(_ token: String) async -> String {
        do throws(VerificationError) {
            _ = try await verifier.verify(token)
            return "valid"
        } catch {
            return error.code.name
        }
    }

    @Test func itsTokensAreValidUnderItsKeys() async throws {
        #expect(try await verifier.verify(issuer.idToken()).subject == "jane")
        #expect(issuer.keyRequests == 1)
    }

    @Test(
        arguments: [
            (["aud": "client-2"], "audience_mismatch"), (["sub": nil], "missing_claim"), (["exp": 1_699_999_000], "expired"),
            (["iss": "https://other.example"], "issuer_mismatch"), (["aud": ["client-1"]], "valid"),
        ] as [([String: (any Encodable & Sendable)?], String)])
    func aClaimIsReplacedOrTakenAway(_ claims: [String: (any Encodable & Sendable)?], _ expected: String) async throws {
        #expect(await verdict(try issuer.idToken(claims.mapValues { $0 })) == expected)
    }

    @Test func itsTokensExpireByItsClock() async throws {
        let token = try issuer.idToken()
        clock.advance(by: .seconds(660))
        #expect(await verdict(token) == "expired")
        #expect(await verdict(try issuer.idToken()) == "valid")
        clock.setDate(1_600_000_000)
        #expect(await verdict(try issuer.idToken()) == "valid")
    }

    @Test func aNewKeySignsAtOnceAndTheOldOneStays() async throws {
        let old = try issuer.idToken()
        #expect(await verdict(old) == "valid")
        let key = try issuer.rotate(to: .ed25519)
        #expect(key.keyID == "key-2" && key.algorithm == .ed25519)
        #expect(await verdict(try issuer.idToken()) == "valid")
        #expect(await verdict(old) == "valid")
        #expect(try issuer.rotate().algorithm == .ed25519)
        #expect(issuer.publishedKeys.map(\.keyID) == ["key-1", "key-2", "key-3"])
    }

    @Test func aRemovedKeySignsInVain() async throws {
        try issuer.rotate()
        #expect(issuer.remove("key-1") && !issuer.remove("key-1") && !issuer.remove("key-9"))
        #expect(await verdict(try issuer.idToken(keyID: "key-1")) == "unknown_key")
        #expect(await verdict(try issuer.idToken()) == "valid")
        #expect(throws: TestKeyError.unknownKey) { try issuer.idToken(keyID: "key-9") }
        #expect(try TokenVerifier(keys: issuer.keySet, policy: ClaimsPolicy(), clock: clock).verify(issuer.idToken()).keyID == "key-2")
    }

    @Test func whileItIsDownThereAreNoKeys() async throws {
        issuer.isUp = false
        let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, loading: .lazy, clock: clock)
        await keys.firstAttempt()
        #expect(!keys.isReady && keys.status.failures > 0)
        issuer.isUp = true
        await keys.refresh()
        #expect(keys.isReady)
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es384, .ps512, .edDSA, .ed448])
    func theHashOfAnAccessTokenIsThatOfItsAlgorithm(_ algorithm: SignatureAlgorithm) throws {
        let issuer = try TestIssuer(algorithms: [algorithm], clock: clock)
        let policy = ClaimsPolicy.idToken(issuer: issuer.identifier, clientID: "client-1")
        let login = TokenVerifier(keys: try issuer.keySet, policy: policy, clock: clock)
        let accessToken = try issuer.accessToken()
        let idToken = try issuer.idToken(["nonce": "n-1"], accessToken: accessToken)
        #expect(try login.expecting(nonce: "n-1").expecting(accessToken: accessToken).verify(idToken).subject == "jane")
        #expect(throws: VerificationError.self) { try login.expecting(accessToken: "another").verify(idToken) }
    }

    @Test func itsAccessTokensMeetRFC9068() throws {
        let policy = ClaimsPolicy.accessToken(issuer: issuer.identifier, audience: "https://api.example")
        let verifier = TokenVerifier(keys: try issuer.keySet, policy: policy, clock: clock)
        let tokens = [try issuer.accessToken(["scope": "orders"]), try issuer.accessToken()]
        let verified = try tokens.map { try verifier.verify($0) }
        #expect(verified[0].claims.string("scope") == "orders" && verified[1].claims.string("scope") == nil)
        #expect(verified[0].claims.string("jti") != verified[1].claims.string("jti"))
    }

    @Test func noIssuerPublishesASecret() {
        #expect(throws: TestKeyError.unavailable(.hs256)) { try TestIssuer(algorithms: [.hs256]) }
        #expect(throws: TestKeyError.unavailable(.hs512)) { try issuer.rotate(to: .hs512) }
    }
}
