import AssayTesting
import HTTPGuard
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import TLSTestSupport
import Testing

/// The effects of successful refreshes.
@Suite struct RefreshChangeTests {
    private static let good = KeyPool.set(0, 1), changed = KeyPool.set(0, 1, 2)

    static let framings: [(String, LoopbackAnswer)] = [
        ("chunks", .chunked([Array(changed.utf8.prefix(9)), Array(changed.utf8.dropFirst(9))])),
        ("gzip that was not asked for", .status(200, [("Content-Encoding", "gzip")], body: gzip(changed))),
    ]

    @Test(arguments: framings.indices) func changeIsTakenInWhateverItsFraming(_ index: Int) async throws {
        let server = try LoopbackServer { _ in .json(Self.good) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        server.answer { _ in Self.framings[index].1 }
        #expect(await fetched.keys.refresh(), "\(Self.framings[index].0)")
        #expect(server.requests.count == 2)
        let status = fetched.keys.status
        #expect(status.generation == 2 && status.keys.count == 3 && status.failures == 0 && fetched.alarms.isEmpty)
        #expect(fetched.verifier.verdict(KeyPool.token(2)) == "valid")
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

    /// The clock stands at 2023-11-14 22:15:00.
    @Test func freshnessAndDateAreTakenFromTheAnswer() async throws {
        let fields = [("Cache-Control", "max-age=600"), ("Age", "100"), ("Date", "Tue, 14 Nov 2023 23:15:00 GMT")]
        let server = try LoopbackServer { _ in .json(Self.good, fields) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        #expect(server.requests.count == 1)
        #expect(fetched.keys.status.freshFor == .seconds(500) && fetched.keys.status.clockSkew == .seconds(3_700))
        #expect(fetched.alarms == ["clock_skew"])
    }

    private static func gzip(_ text: String) -> [UInt8] {
        guard let folder = try? TemporaryFolder(), let plain = try? folder.write("plain", text) else { return [] }
        return Shell.run("gzip -n <\(plain) >\(folder.path)/gzip") == 0 ? folder.bytes("gzip") : []
    }
}

/// From the socket to the verdict.
@Suite struct RefreshingVerifierHTTPTests {
    @Test func plainServerBringsNoKeysOverHTTPS() async throws {
        let server = try LoopbackServer { _ in .json(KeyPool.set(0)) }
        let transport = try GuardedClient(.trusting(try TestAuthority.shared.get()))
        let keys = RemoteKeySet(
            .jwks(url: "https://127.0.0.1:\(server.port)/keys"), transport: transport, loading: .lazy, clock: ManualClock())
        await keys.firstAttempt()
        #expect(keys.status.health == .unavailable && keys.generation == nil)
        #expect(keys.status.failures == 1 && keys.status.lastFailure?.code == "fetch_tls")
        #expect(TokenVerifier(keys: keys, policy: KeyPool.policy).verdict(KeyPool.token(0)) == "keys_unavailable")
        #expect(server.requests.isEmpty)
    }

    /// The fetch continues after the verdict, so the verdict did not wait for its end.
    @Test func hungServerHoldsATokenNoLongerThanTheBudget() async throws {
        let server = try LoopbackServer { _ in .hang }
        var policy = RefreshPolicy()
        policy.waitBudget = .custom(.milliseconds(50))
        policy.attemptLimit = .seconds(3600)
        let keys = RemoteKeySet(.jwks(url: server.url("/keys")), policy: policy, transport: try GuardedClient(.loopback), loading: .lazy)
        let verifier = RefreshingVerifier(keys: keys, policy: KeyPool.policy)
        await #expect(throws: VerificationError.keysUnavailable) { _ = try await verifier.verify(KeyPool.token(0), now: TokenForge.now) }
        #expect(keys.status.isFetching && keys.status.failures == 0 && keys.status.waiters == 0)
        #expect(server.requests.count <= 1)
    }
}
