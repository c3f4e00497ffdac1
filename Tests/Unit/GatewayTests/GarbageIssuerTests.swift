import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// An issuer that publishes good keys once, and garbage for hours.
@Suite(.timeLimit(.minutes(10)))
struct GarbageIssuerTests {
    private static let keys = "https://a.example/jwks"
    private static let foreign = "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AAAA\"}]}"

    /// What arrives instead of keys, one after the other.
    private static let garbage: [ScriptedTransport.Answer] = [
        document("<html>Service Unavailable</html>"), document(""), document("{\"keys\":[]}"), document("{\"keys\":{}}"), document("null"),
        document("{\"keys\":[{\"kty\":\"EC\"}]}"), document(foreign), document(String(KeyPool.set(0).dropLast(20))),
        document(KeyPool.set(0) + KeyPool.set(0)), document(String(repeating: "[", count: 100_000)), document("\u{0}\u{1}\u{2}"),
        document("{\"keys\":[],\"keys\":[]}"), .response(ReceivedResponse(status: 304)), .response(ReceivedResponse(status: 204)),
        .response(ReceivedResponse(status: 500, body: Array(KeyPool.set(1).utf8))), .failure(RequestFailure(.timedOut)),
        .response(ReceivedResponse(status: 200, fields: [HeaderField("Cache-Control", "max-age=999999999")], body: [0xff, 0xfe, 0x00])),
        .response(ReceivedResponse(status: 429, fields: [HeaderField("Retry-After", "999999999")])),
    ]

    private static func document(_ text: String) -> ScriptedTransport.Answer {
        .response(ReceivedResponse(status: 200, body: Array(text.utf8)))
    }

    /// Tokens that are valid for a day, whatever their keys are.
    private static func token(_ name: String) -> String {
        KeyPool.forges[0].token(
            "{\"iss\":\"https://a.example\",\"aud\":\"api\",\"exp\":1700090000,\"iat\":1700000000,\"sub\":\"\(name)\"}")
    }

    /// The wait for a refused document is drawn at random between one second and a limit that doubles to five minutes.
    private static let mostFetchesInAnHour = 120

    private static func scene() async throws -> Scene {
        let scene = try await Scene(Scene.configuration(), cache: VerifiedTokenCache(budget: 1 << 20, maximumAge: .seconds(86_400)))
        #expect(scene.verdict(Scene.bearer(token("remembered"))) == "allowed")
        return scene
    }

    /// Moves the clock to the next moment at which something is due, at most `step` away, and lets it happen.
    private static func advance(_ scene: Scene, atMost step: Duration) async {
        let clock = scene.clock, due = (clock.nextDeadline ?? clock.elapsed + step) - clock.elapsed
        clock.advance(by: min(max(due, .milliseconds(1)), step))
        _ = await settles { clock.sleeperCount >= 2 && (clock.nextDeadline ?? .zero) > clock.elapsed }
    }

    private static func fetches(_ scene: Scene) -> Int { scene.transport.requests.filter { $0.url == keys }.count }

    @Test func keysOutliveTheirIssuerForTheirBoundedTimeAlone() async throws {
        let scene = try await Self.scene(), policy = RefreshPolicy.availabilityFirst, before = Self.fetches(scene)
        let end = policy.defaultLifetime + policy.staleIfError
        var kind = 0, fetches = before
        while scene.clock.elapsed < .seconds(3 * 3_600) {
            if Self.fetches(scene) != fetches {
                fetches = Self.fetches(scene)
                kind += 1
            }
            scene.transport.answer(Self.keys, Self.garbage[kind % Self.garbage.count])
            // A fresh token, and one whose signature is remembered: both live as long as the keys, and not longer.
            let expected = scene.clock.elapsed < end ? "allowed" : "503 keys_unavailable"
            for name in ["remembered", "fresh-\(scene.clock.elapsed.components.seconds)"] {
                let verdict = scene.verdict(Scene.bearer(Self.token(name)))
                #expect(verdict == expected, "\(name) after \(scene.clock.elapsed), fetch \(fetches)")
            }
            await Self.advance(scene, atMost: .seconds(30))
        }
        #expect(kind > Self.garbage.count / 2, "the issuer was asked too seldom for this test")
        #expect(fetches - before <= 3 * Self.mostFetchesInAnHour)
        // The other issuer is not concerned.
        #expect(scene.verdict(Scene.bearer(Scene.token("b"))) == "401 issuer_mismatch")
    }

    /// Each token without keys may cause a fetch, and a flood of them no more than two in ten seconds.
    @Test func aFloodOfTokensCausesNoFloodOfFetches() async throws {
        let scene = try await Self.scene()
        scene.transport.answer(Self.keys, Self.garbage[0])
        while scene.clock.elapsed < .seconds(3_901) { await Self.advance(scene, atMost: .seconds(30)) }
        let start = scene.clock.elapsed, before = Self.fetches(scene)
        while scene.clock.elapsed < start + .seconds(600) {
            for place in 0..<20 {
                let junk = KeyPool.forges[place % 8].token(Scene.payload("a"))
                #expect(scene.verdict(Scene.bearer(junk)) == "503 keys_unavailable")
            }
            await Self.advance(scene, atMost: .seconds(1))
        }
        let policy = RefreshPolicy.availabilityFirst
        let probes = 600 / Int(policy.probeWindow.components.seconds) * policy.probeLimit
        #expect(Self.fetches(scene) - before <= probes + Self.mostFetchesInAnHour)
    }

    @Test func theFirstGoodDocumentEndsTheOutage() async throws {
        let scene = try await Self.scene()
        scene.transport.answer(Self.keys, Self.garbage[0])
        while scene.clock.elapsed < .seconds(4_000) { await Self.advance(scene, atMost: .seconds(30)) }
        let denial = scene.core.decideNow(Scene.bearer(Self.token("x")), now: Scene.now).denial
        #expect(denial?.status == 503 && (1...60).contains(denial?.retryAfter?.components.seconds ?? 0))
        #expect(!scene.core.issuers.isReady)
        scene.transport.answer(Self.keys, KeyPool.set(0))
        let recovery = scene.clock.elapsed
        while !scene.core.issuers.isReady, scene.clock.elapsed < recovery + .seconds(600) {
            await Self.advance(scene, atMost: .seconds(5))
        }
        #expect(scene.clock.elapsed - recovery <= RefreshPolicy.availabilityFirst.backoff.upperBound + .seconds(1))
        #expect(scene.verdict(Scene.bearer(Self.token("x"))) == "allowed")
    }
}
