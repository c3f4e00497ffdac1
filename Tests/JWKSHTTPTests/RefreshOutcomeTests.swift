#if HTTP
import HTTPGuard
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import LoopbackServer
import Testing

/// What a refresh that goes wrong does to keys that were fetched before: nothing but count. One row each.
@Suite struct RefreshOutcomeTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let requests: Int
        let retry: Duration
        let answer: @Sendable (_ port: UInt16) -> Answer

        init(
            _ name: String, _ answer: @escaping @autoclosure @Sendable () -> Answer, _ code: String, retry: Duration = .seconds(1)
        ) {
            self.init(name, code, requests: 1, retry: retry) { _ in answer() }
        }

        /// Everything is redirected to `location`.
        init(_ name: String, to location: String, requests: Int) {
            self.init(name, "fetch_redirect", requests: requests, retry: .seconds(1)) { port in
                .redirect(to: location.replacing("{port}", with: "\(port)"))
            }
        }

        private init(
            _ name: String, _ code: String, requests: Int, retry: Duration, _ answer: @escaping @Sendable (UInt16) -> Answer
        ) {
            (testDescription, self.code, self.requests, self.retry, self.answer) = (name, code, requests, retry, answer)
        }

        /// How many requests arrive. On a busy machine a short time may be over before the only one was sent.
        var arrivals: ClosedRange<Int> { code == "fetch_timed_out" ? 0...requests : requests...requests }
    }

    private static let good = KeyPool.set(0, 1)
    private static let head = Answer.head(200, [("Content-Length", "\(good.utf8.count)")])
    private static let half = Array(good.utf8.prefix(good.utf8.count / 2))

    private static func junk(_ count: Int) -> String { KeyPool.document(Array(repeating: #"{"kty":"X"}"#, count: count)) }

    static let silences = [
        Fault("hangs after accepting", .hang, "fetch_timed_out"),
        Fault("hangs after the head", Answer([.send(head), .hang]), "fetch_timed_out"),
        Fault("hangs within the body", Answer([.send(head), .send(half), .hang]), "fetch_timed_out"),
        Fault("drips", Answer([.send(head), .drip(Array(good.utf8), milliseconds: 20)]), "fetch_timed_out"),
        Fault("closes", .close, "fetch_connection"),
        Fault("resets within the body", Answer([.send(head), .send(half), .reset]), "fetch_connection"),
        Fault("length too long", .wrongLength(good.utf8.count + 1, body: good), "fetch_connection"),
        Fault("length too short", .wrongLength(good.utf8.count - 1, body: good), "invalid_document"),
        Fault("no HTTP", .raw("SSH-2.0-Server\r\n"), "fetch_malformed"),
    ]

    static let statuses = [
        Fault("500", .status(500), "status"),
        Fault("503", .status(503, body: Array(good.utf8)), "status"),
        Fault("404", .status(404, body: Array(good.utf8)), "status"),
        Fault("429", .status(429, [("Retry-After", "120")]), "status", retry: .seconds(120)),
        Fault("503 for a day", .status(503, [("Retry-After", "86400")]), "status", retry: .seconds(300)),
        Fault("304 to what was not conditional", .status(304), "unexpected_not_modified"),
        Fault("redirect to another port", to: "http://127.0.0.1:1/", requests: 1),
        Fault("redirect to another host", to: "http://localhost:{port}/keys", requests: 1),
        Fault("redirect to https", to: "https://127.0.0.1:{port}/keys", requests: 1),
        Fault("redirects without end", to: "/keys", requests: 4),
    ]

    static let documents = [
        Fault("HTML", .status(200, [("Content-Type", "text/html")], body: Array("<html>".utf8)), "invalid_document"),
        Fault("nothing", .status(200), "invalid_document"),
        Fault("an error", .json(#"{"error":"temporarily_unavailable"}"#), "invalid_document"),
        Fault("no array", .json(#"{"keys":{}}"#), "invalid_document"),
        Fault("two arrays", .json(#"{"keys":[],"keys":[]}"#), "invalid_document"),
        Fault("deep", .json(#"{"keys":"# + String(repeating: "[", count: 100_000)), "invalid_document"),
        Fault("byte order mark", .json("\u{feff}" + good), "invalid_document"),
        Fault("bad, and of a bad age", .json("{", [("Cache-Control", "max-age=NaN")]), "invalid_document"),
        Fault("empty", .json(#"{"keys":[]}"#), "no_usable_key"),
        Fault("256 keys of no use", .json(junk(256)), "no_usable_key"),
        Fault("257 keys", .json(junk(257)), "invalid_document"),
        Fault("10,000 keys", .json(junk(10_000)), "invalid_document"),
        Fault("too large", .json(good + String(repeating: " ", count: 262_144)), "fetch_too_large"),
        Fault(
            "too large, in chunks", .chunked([Array(good.utf8)] + Array(repeating: Array(repeating: 32, count: 4096), count: 64)),
            "fetch_too_large"),
        Fault("too many keys, in chunks", .chunked([Array(junk(257).utf8)]), "invalid_document"),
    ]

    @Test(arguments: silences + statuses + documents) func faultIsCountedAndChangesNothing(_ fault: Fault) async throws {
        let server = try LoopbackServer { _ in .json(Self.good) }
        var configuration = GuardedClient.Configuration.loopback
        if fault.code == "fetch_timed_out" { configuration.limits = .impatient }
        let fetched = try await FetchedKeys(server.url("/keys"), configuration)
        let before = server.requests.count
        server.answer { [port = server.port] _ in fault.answer(port) }
        #expect(await !fetched.keys.refresh())
        #expect(fault.arrivals.contains(server.requests.count - before))
        expectOldKeys(fetched, failure: fault.code)
        #expect(fetched.keys.status.nextFetchIn == fault.retry)
    }

    @Test func refusedConnectionIsCountedAndChangesNothing() async throws {
        var server: LoopbackServer? = try LoopbackServer { _ in .json(Self.good) }
        let fetched = try await FetchedKeys(server?.url("/keys") ?? "")
        server = nil
        #expect(await !fetched.keys.refresh())
        expectOldKeys(fetched, failure: "fetch_connection")
    }

    @Test func failedHandshakeIsCountedAndChangesNothing() async throws {
        let authority = try TestAuthority.shared.get()
        let server = try await TLSServer(certificate: "good", authority, document: Self.good)
        let fetched = try await FetchedKeys(server.url(), .trusting(authority))
        try server.present("expired", authority)
        #expect(await !fetched.keys.refresh())
        #expect(server.requests == 1)
        expectOldKeys(fetched, failure: "fetch_tls")
    }

    /// The generation of the first fetch, fresh, with one failure to tell of.
    private func expectOldKeys(_ fetched: FetchedKeys, failure: String, _ location: SourceLocation = #_sourceLocation) {
        let status = fetched.keys.status
        #expect(status.generation == 1 && status.health == .fresh && status.freshFor == .seconds(300), sourceLocation: location)
        #expect(status.failures == 1 && status.lastFailure?.code == failure, sourceLocation: location)
        let verdicts = [KeyPool.token(0), KeyPool.token(1)].map { fetched.verifier.verdict($0) }
        #expect(verdicts == ["valid", "valid"] && fetched.alarms.isEmpty, sourceLocation: location)
    }

    /// What fails has no second effect: the next good answer ends it.
    @Test func goodAnswerEndsFailures() async throws {
        let server = try LoopbackServer { _ in .json(Self.good) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        server.answer { _ in .status(503) }
        for _ in 0..<3 { await fetched.keys.refresh() }
        #expect(fetched.keys.status.failures == 3)
        server.answer { _ in .json(Self.good) }
        #expect(await fetched.keys.refresh())
        #expect(fetched.keys.status.failures == 0 && fetched.keys.status.lastFailure == nil)
        #expect(fetched.keys.generation == 1 && server.requests.count == 5)
    }
}
#endif
