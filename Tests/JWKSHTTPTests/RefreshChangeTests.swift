#if HTTP
import HTTPGuard
import JWKSCache
import JWKSHTTP
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import LoopbackServer
import Testing

/// What a refresh that brings something makes of it.
@Suite struct RefreshChangeTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: Answer
        var generation: UInt64 = 1
        var keys = 2
        var alarms: [String] = []
        /// Of tokens under the two keys of before, the key called as the first one, and a third.
        var verdicts = ["valid", "valid", "signature_invalid", "keys_unavailable"]

        init(_ name: String, _ answer: Answer) { (testDescription, self.answer) = (name, answer) }

        init(_ name: String, _ jwks: [String], generation: UInt64 = 2, keys: Int, _ verdicts: [String], alarms: [String] = []) {
            self.init(name, .json(KeyPool.document(jwks)))
            (self.generation, self.keys, self.verdicts, self.alarms) = (generation, keys, verdicts, alarms)
        }
    }

    private static let good = KeyPool.set(0, 1)
    private static let jwks = KeyPool.forges.map(\.jwk)
    private static let twin = TokenForge(.es256, keyID: "key-0")
    private static let tokens = [KeyPool.token(0), KeyPool.token(1), twin.token(), KeyPool.token(2)]
    private static let leaked = jwks[2].dropLast() + #","d":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"}"#
    private static let secret = #"{"kty":"oct","kid":"secret","alg":"HS256","k":"\#(String(repeating: "A", count: 43))"}"#

    static let changes = [
        Change("chunks", .chunked([Array(good.utf8.prefix(9)), Array(good.utf8.dropFirst(9))])),
        Change("gzip unasked", .status(200, [("Content-Encoding", "gzip")], body: gzip(good))),
        Change("the same in another order", .json(KeyPool.set(1, 0))),
        Change("one key more", Array(jwks[...2]), keys: 3, ["valid", "valid", "signature_invalid", "valid"]),
        Change("one key less", [jwks[1]], keys: 1, ["keys_unavailable", "valid", "keys_unavailable", "keys_unavailable"]),
        Change("a key twice", .json(KeyPool.document([jwks[0], jwks[1], jwks[0]]))),
        Change(
            "two keys of a name", [jwks[0], jwks[1], twin.jwk], keys: 3, ["valid", "valid", "valid", "keys_unavailable"],
            alarms: ["duplicate_key_id"]),
        Change(
            "another key of the name", [twin.jwk, jwks[1]], keys: 2, ["signature_invalid", "valid", "valid", "keys_unavailable"],
            alarms: ["key_replaced"]),
        Change(
            "a private key", [jwks[0], jwks[1], String(leaked)], keys: 3, ["valid", "valid", "signature_invalid", "valid"],
            alarms: ["private_key_published"]),
        Change(
            "a shared secret", [jwks[0], jwks[1], secret], keys: 3, ["valid", "valid", "signature_invalid", "keys_unavailable"],
            alarms: ["secret_published"]),
    ]

    @Test(arguments: changes) func changeIsTakenIn(_ change: Change) async throws {
        let server = try LoopbackServer { _ in .json(Self.good) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        server.answer { _ in change.answer }
        #expect(await fetched.keys.refresh())
        #expect(server.requests.count == 2)
        let status = fetched.keys.status
        #expect(status.generation == change.generation && status.keys.count == change.keys)
        #expect(status.health == .fresh && status.freshFor == .seconds(300) && status.failures == 0)
        #expect(fetched.alarms == change.alarms)
        // No probe is answered, so a name that the set does not have may be known soon.
        server.answer { _ in .hang }
        #expect(Self.tokens.map { fetched.verifier.verdict($0) } == change.verdicts)
    }

    @Test func redirectWithinTheOriginIsFollowed() async throws {
        let server = try LoopbackServer { _ in .json(Self.good) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        server.answer { $0.path == "/keys" ? .redirect(to: "/moved") : .json(KeyPool.set(0, 1, 2)) }
        #expect(await fetched.keys.refresh())
        #expect(server.requests.map(\.path) == ["/keys", "/keys", "/moved"])
        #expect(fetched.keys.generation == 2 && fetched.verifier.verdict(KeyPool.token(2)) == "valid")
    }

    @Test(arguments: [#""1""#, #"W/"1""#]) func entityTagIsAskedWithAndConfirmed(_ tag: String) async throws {
        let server = try LoopbackServer { _ in .json(Self.good, [("ETag", tag), ("Cache-Control", "max-age=900")]) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        server.answer { _ in .status(304, [("ETag", tag)]) }
        #expect(await fetched.keys.refresh())
        #expect(server.requests.map { $0.field("If-None-Match") } == [nil, tag])
        #expect(fetched.keys.generation == 1 && fetched.keys.status.failures == 0)
        #expect(fetched.keys.status.freshFor == .seconds(900), "a 304 that gives no lifetime keeps the last one")
        #expect(fetched.verifier.verdict(KeyPool.token(0)) == "valid")
    }

    struct Age: Sendable, CustomTestStringConvertible {
        let fields: [(String, String)]
        let freshFor: Duration
        var skew: Duration?

        init(_ fields: [(String, String)], _ seconds: Int64, skew: Int64? = nil) {
            (self.fields, freshFor, self.skew) = (fields, .seconds(seconds), skew.map { .seconds($0) })
        }

        var testDescription: String { fields.map { "\($0.0): \($0.1)" }.joined(separator: ", ") }
    }

    /// The clock stands at 2023-11-14 22:15:00.
    static let ages = [
        Age([], 300),
        Age([("Cache-Control", "max-age=600")], 600),
        Age([("Cache-Control", "max-age=0")], 60),
        Age([("Cache-Control", "no-store")], 60),
        Age([("Cache-Control", "no-cache, max-age=600")], 60),
        Age([("Cache-Control", "max-age=NaN")], 300),
        Age([("Cache-Control", "max-age=-1")], 300),
        Age([("Cache-Control", "max-age=315360000")], 3600),
        Age([("Cache-Control", "max-age=99999999999999999999")], 3600),
        Age([("Cache-Control", "max-age=600"), ("Age", "100")], 500),
        Age([("Cache-Control", "max-age=600"), ("Age", "700")], 60),
        Age([("Cache-Control", "max-age=600"), ("Date", "Tue, 14 Nov 2023 23:15:00 GMT")], 600, skew: 3600),
        Age([("Cache-Control", "max-age=600"), ("Date", "Tue, 14 Nov 2023 21:15:00 GMT")], 600, skew: -3600),
        Age([("Cache-Control", "max-age=600"), ("Date", "Tue, 14 Nov 2023 22:15:00 GMT")], 600, skew: 0),
    ]

    @Test(arguments: ages) func freshnessHasBounds(_ age: Age) async throws {
        let server = try LoopbackServer { _ in .json(Self.good, age.fields) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        #expect(server.requests.count == 1)
        let status = fetched.keys.status
        #expect(status.freshFor == age.freshFor && status.generation == 1 && status.health == .fresh)
        #expect(status.clockSkew == age.skew)
        #expect(fetched.alarms == (abs(age.skew?.components.seconds ?? 0) > 30 ? ["clock_skew"] : []))
    }

    private static func gzip(_ text: String) -> [UInt8] {
        guard let folder = try? TemporaryFolder(), let plain = try? folder.write("plain", text) else { return [] }
        return Shell.run("gzip -n <\(plain) >\(folder.path)/gzip") == 0 ? folder.bytes("gzip") : []
    }
}

/// From the socket to the verdict.
@Suite struct RefreshingVerifierHTTPTests {
    @Test func tokenIsVerifiedWithKeysBehindTLS() async throws {
        let authority = try TestAuthority.shared.get()
        let server = try await TLSServer(certificate: "good", authority, document: KeyPool.set(0))
        // As patient as the transport: beside others' tests a handshake may take seconds.
        var policy = RefreshPolicy()
        policy.attemptLimit = .seconds(60)
        let keys = RemoteKeySet(
            .jwks(url: server.url()), policy: policy, transport: try HTTPTransport(.trusting(authority)), loading: .lazy)
        await keys.firstAttempt()
        #expect(TokenVerifier(keys: keys, policy: KeyPool.policy).verdict(KeyPool.token(0)) == "valid")
        #expect(server.requests == 1)
    }

    @Test func otherRootBringsNoKeys() async throws {
        let authority = try TestAuthority.shared.get()
        let server = try await TLSServer(certificate: "self-signed", authority, document: KeyPool.set(0))
        try await expectNoKeys(server.url(), .trusting(authority))
        #expect(server.requests == 0)
    }

    @Test func plainServerBringsNoKeysOverHTTPS() async throws {
        let server = try LoopbackServer { _ in .json(KeyPool.set(0)) }
        try await expectNoKeys("https://127.0.0.1:\(server.port)/keys", .trusting(try TestAuthority.shared.get()))
        #expect(server.requests.isEmpty)
    }

    private func expectNoKeys(_ url: String, _ configuration: GuardedClient.Configuration) async throws {
        let keys = RemoteKeySet(.jwks(url: url), transport: try HTTPTransport(configuration), loading: .lazy, clock: ManualClock())
        await keys.firstAttempt()
        #expect(keys.status.health == .unavailable && keys.generation == nil)
        #expect(keys.status.failures == 1 && keys.status.lastFailure?.code == "fetch_tls")
        #expect(TokenVerifier(keys: keys, policy: KeyPool.policy).verdict(KeyPool.token(0)) == "keys_unavailable")
    }

    /// The fetch goes on when the verdict is there, so nobody waited for its end.
    @Test func hungServerHoldsATokenNoLongerThanTheBudget() async throws {
        let server = try LoopbackServer { _ in .hang }
        var policy = RefreshPolicy()
        policy.waitBudget = .custom(.milliseconds(50))
        policy.attemptLimit = .seconds(3600)
        let keys = RemoteKeySet(.jwks(url: server.url("/keys")), policy: policy, transport: try HTTPTransport(.loopback), loading: .lazy)
        let verifier = RefreshingVerifier(keys: keys, policy: KeyPool.policy)
        await #expect(throws: VerificationError.keysUnavailable) { _ = try await verifier.verify(KeyPool.token(0), now: TokenForge.now) }
        #expect(keys.status.isFetching && keys.status.failures == 0 && keys.status.waiters == 0)
        #expect(server.requests.count <= 1)
    }
}
#endif
