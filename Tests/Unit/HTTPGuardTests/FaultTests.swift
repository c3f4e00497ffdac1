import AssayTesting
import HTTPGuard
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import TLSTestSupport
import Testing

/// Faults of a server, one row each: the transport's outcome, and a refresh that is counted and leaves the keys fetched before unchanged.
@Suite struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: LoopbackAnswer
        let outcome: Outcome
        let retry: Duration

        init(_ name: String, _ answer: LoopbackAnswer, _ outcome: Outcome, retry: Duration = .seconds(1)) {
            (testDescription, self.answer, self.outcome, self.retry) = (name, answer, outcome, retry)
        }

        var isTimeOut: Bool { outcome == .failure(.timedOut) }

        /// The code of the failed refresh; nil if the answer has the keys.
        var code: String? {
            switch outcome {
            case .failure(let reason): "fetch_\(reason.rawValue)"
            case .answer(200, keys): nil
            case .answer(200, _): "invalid_document"
            case .answer(304, _): "unexpected_not_modified"
            case .answer: "status"
            }
        }
    }

    private static let keys = KeyPool.set(0, 1)
    private static let head = LoopbackAnswer.head(200, [("Content-Length", "1000")])

    static let faults = [
        Fault("hangs after accepting", .hang, .failure(.timedOut)),
        Fault("hangs within the head", LoopbackAnswer([.send(Array("HTTP/1.1 200 OK\r\nContent-".utf8)), .hang]), .failure(.timedOut)),
        Fault("hangs after the head", LoopbackAnswer([.send(head), .hang]), .failure(.timedOut)),
        Fault("drips the head", LoopbackAnswer([.drip(head, milliseconds: 100)]), .failure(.timedOut)),
        Fault(
            "drips the body", LoopbackAnswer([.send(head), .drip(Array(repeating: 32, count: 1000), milliseconds: 20)]), .failure(.timedOut)
        ),
        Fault("closes without an answer", .close, .failure(.connection)),
        Fault("resets without an answer", .reset, .failure(.connection)),
        Fault("resets within the body", LoopbackAnswer([.send(head), .send(Array(keys.utf8)), .reset]), .failure(.connection)),
        Fault("closes within the head", .raw("HTTP/1.1 200 OK\r\nContent-"), .failure(.connection)),
        Fault("length too long", .wrongLength(1000, body: keys), .failure(.connection)),
        Fault("length too short", .wrongLength(5, body: keys), .answer(200, String(keys.prefix(5)))),
        Fault("length twice", .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), .failure(.malformed)),
        Fault("length no number", .raw("HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}"), .failure(.malformed)),
        Fault("no length", .raw("HTTP/1.1 200 OK\r\n\r\n" + keys), .answer(200, keys)),
        Fault("HTTP/1.0", .raw("HTTP/1.0 200 OK\r\n\r\n" + keys), .answer(200, keys)),
        Fault("hints before the answer", .raw("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" + keys), .answer(200, keys)),
        Fault("chunks", .chunked([Array(keys.utf8.prefix(9)), Array(keys.utf8.dropFirst(9))]), .answer(200, keys)),
        Fault("chunks without an end", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"), .failure(.connection)),
        Fault("chunk of no size", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"), .failure(.malformed)),
        Fault("too many chunks", .chunked(Array(repeating: Array(repeating: 32, count: 4096), count: 65)), .failure(.tooLarge)),
        Fault("no HTTP", .raw("SSH-2.0-Server\r\n"), .failure(.malformed)),
        Fault("head too large", .status(200, [("X", String(repeating: "x", count: 100_000))]), .failure(.tooLarge)),
        Fault("other coding", .status(200, [("Content-Encoding", "br")], body: [1, 2]), .failure(.malformed)),
        Fault("gzip that is none", .status(200, [("Content-Encoding", "gzip")], body: Array(keys.utf8)), .failure(.malformed)),
        Fault("304 unasked", .status(304), .answer(304, "")),
        Fault("204", .status(204), .answer(204, "")),
        Fault("404", .status(404, body: Array(keys.utf8)), .answer(404, keys)),
        Fault("429", .status(429, [("Retry-After", "120")]), .answer(429, ""), retry: .seconds(120)),
        Fault("500", .status(500, body: Array("oh".utf8)), .answer(500, "oh")),
        Fault("503 for a day", .status(503, [("Retry-After", "86400")]), .answer(503, ""), retry: .seconds(300)),
        Fault("redirect to another host", .redirect(to: "https://idp.example/keys"), .failure(.redirect)),
        Fault("HTML", .status(200, [("Content-Type", "text/html")], body: Array("<p>".utf8)), .answer(200, "<p>")),
    ]

    @Test(arguments: faults) func faultHasItsOutcomeAndChangesNothing(_ fault: Fault) async throws {
        let server = try LoopbackServer { _ in .json(Self.keys) }
        var configuration = GuardedClient.Configuration.loopback
        if fault.isTimeOut { configuration.limits = .impatient }
        let fetched = try await FetchedKeys(server.url("/keys"), configuration)
        let before = server.requests.count
        server.answer { _ in fault.answer }
        #expect(try await GuardedClient(configuration).outcome(server.url()) == fault.outcome)
        #expect(await fetched.keys.refresh() == (fault.code == nil))
        // On a busy machine the time-out may come before the request is sent.
        #expect((fault.isTimeOut ? 0...2 : 2...2).contains(server.requests.count - before))
        expectOldKeys(fetched, failure: fault.code)
        if fault.code != nil { #expect(fetched.keys.status.nextFetchIn == fault.retry) }
    }

    /// Expects the generation of the first fetch, still fresh.
    private func expectOldKeys(_ fetched: FetchedKeys, failure: String?, _ location: SourceLocation = #_sourceLocation) {
        let status = fetched.keys.status
        #expect(status.generation == 1 && status.health == .fresh && status.freshFor == .seconds(300), sourceLocation: location)
        #expect(status.failures == (failure == nil ? 0 : 1) && status.lastFailure?.code == failure, sourceLocation: location)
        let verdicts = [KeyPool.token(0), KeyPool.token(1)].map { fetched.verifier.verdict($0) }
        #expect(verdicts == ["valid", "valid"] && fetched.alarms.isEmpty, sourceLocation: location)
    }

    @Test func refusedConnectionIsCountedAndChangesNothing() async throws {
        var server: LoopbackServer? = try LoopbackServer { _ in .json(Self.keys) }
        let fetched = try await FetchedKeys(server?.url("/keys") ?? "")
        let port = try #require(server?.port)
        server = nil
        // Another test's server could get the port.
        try LoopbackServer.keepClosed(port)
        #expect(await !fetched.keys.refresh())
        expectOldKeys(fetched, failure: "fetch_connection")
    }

    @Test func failedHandshakeIsCountedAndChangesNothing() async throws {
        let authority = try TestAuthority.shared.get()
        let server = try await TLSServer(certificate: "good", authority, document: Self.keys)
        let fetched = try await FetchedKeys(server.url(), .trusting(authority))
        try server.present("expired", authority)
        #expect(await !fetched.keys.refresh())
        #expect(server.requests == 1)
        expectOldKeys(fetched, failure: "fetch_tls")
    }

    @Test func goodAnswerEndsFailures() async throws {
        let server = try LoopbackServer { _ in .json(Self.keys) }
        let fetched = try await FetchedKeys(server.url("/keys"))
        server.answer { _ in .status(503) }
        for _ in 0..<3 { await fetched.keys.refresh() }
        #expect(fetched.keys.status.failures == 3)
        server.answer { _ in .json(Self.keys) }
        #expect(await fetched.keys.refresh())
        expectOldKeys(fetched, failure: nil)
    }

    @Test func unknownNameIsNotResolved() async throws {
        let transport = try GuardedClient(GuardedClient.Configuration(limits: .patient))
        #expect(await transport.outcome("https://no-such-name.invalid/") == .failure(.unresolvedName))
    }

    @Test func resolverThatHangsIsGivenUp() async throws {
        let hanging = AddressResolution { _ in
            try await Task.sleep(for: .seconds(3600))
            return []
        }
        let client = try GuardedClient(GuardedClient.Configuration(limits: .impatient), resolution: hanging)
        #expect(await client.failure("https://idp.example/") == .timedOut)
    }

    @Test func failureNamesTheURLWithoutItsQuery() async throws {
        let server = try LoopbackServer { _ in .status(302, [("Location", "https://elsewhere.example/?token=secret")]) }
        let transport = try GuardedClient(.loopback)
        await #expect { _ = try await transport.fetch(OutgoingRequest(document: server.url("/keys?token=secret"))) } throws: {
            let detail = ($0 as? RequestFailure)?.detail ?? ""
            return detail.contains("/keys") && !detail.contains("secret")
        }
    }
}
