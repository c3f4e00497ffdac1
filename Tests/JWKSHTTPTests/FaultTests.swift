#if HTTP
import HTTPGuard
import JWKSCache
import JWKSHTTP
import JWTTestSupport
import LoopbackServer
import Testing

/// What a server can do wrong, one row each.
@Suite struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: Answer
        let outcome: Outcome
        let limits: RequestLimits

        init(_ name: String, _ answer: Answer, _ outcome: Outcome) {
            testDescription = name
            self.answer = answer
            self.outcome = outcome
            limits = outcome == .failure(.timedOut) ? .impatient : .patient
        }
    }

    private static let keys = #"{"keys":[]}"#
    private static let head = Answer.head(200, [("Content-Length", "1000")])

    static let faults = [
        Fault("hangs after accepting", .hang, .failure(.timedOut)),
        Fault("hangs within the head", Answer([.send(Array("HTTP/1.1 200 OK\r\nContent-".utf8)), .hang]), .failure(.timedOut)),
        Fault("hangs after the head", Answer([.send(head), .hang]), .failure(.timedOut)),
        Fault("drips the head", Answer([.drip(head, milliseconds: 100)]), .failure(.timedOut)),
        Fault("drips the body", Answer([.send(head), .drip(Array(repeating: 32, count: 1000), milliseconds: 20)]), .failure(.timedOut)),
        Fault("closes without an answer", .close, .failure(.connection)),
        Fault("resets without an answer", .reset, .failure(.connection)),
        Fault("resets within the body", Answer([.send(head), .send(Array(keys.utf8)), .reset]), .failure(.connection)),
        Fault("closes within the head", .raw("HTTP/1.1 200 OK\r\nContent-"), .failure(.connection)),
        Fault("length too long", .wrongLength(1000, body: keys), .failure(.connection)),
        Fault("length too short", .wrongLength(5, body: keys), .answer(200, #"{"key"#)),
        Fault("length twice", .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), .failure(.malformed)),
        Fault("length no number", .raw("HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}"), .failure(.malformed)),
        Fault("no length", .raw("HTTP/1.1 200 OK\r\n\r\n" + keys), .answer(200, keys)),
        Fault("HTTP/1.0", .raw("HTTP/1.0 200 OK\r\n\r\n" + keys), .answer(200, keys)),
        Fault("hints before the answer", .raw("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" + keys), .answer(200, keys)),
        Fault("chunks", .chunked([Array(#"{"ke"#.utf8), Array(#"ys":[]}"#.utf8)]), .answer(200, keys)),
        Fault("chunks without an end", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"), .failure(.connection)),
        Fault("chunk of no size", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"), .failure(.malformed)),
        Fault("too many chunks", .chunked(Array(repeating: Array(repeating: 32, count: 4096), count: 65)), .failure(.tooLarge)),
        Fault("no HTTP", .raw("SSH-2.0-Server\r\n"), .failure(.malformed)),
        Fault("head too large", .status(200, [("X", String(repeating: "x", count: 100_000))]), .failure(.tooLarge)),
        Fault("other coding", .status(200, [("Content-Encoding", "br")], body: [1, 2]), .failure(.malformed)),
        Fault("gzip that is none", .status(200, [("Content-Encoding", "gzip")], body: Array(keys.utf8)), .failure(.malformed)),
        Fault("304 unasked", .status(304), .answer(304, "")),
        Fault("204", .status(204), .answer(204, "")),
        Fault("404", .status(404, body: Array("no".utf8)), .answer(404, "no")),
        Fault("500", .status(500, body: Array("oh".utf8)), .answer(500, "oh")),
        Fault("HTML", .status(200, [("Content-Type", "text/html")], body: Array("<p>".utf8)), .answer(200, "<p>")),
    ]

    @Test(arguments: faults) func faultHasItsOutcome(_ fault: Fault) async throws {
        let server = try LoopbackServer { _ in fault.answer }
        var configuration = GuardedClient.Configuration.loopback
        configuration.limits = fault.limits
        #expect(try await HTTPTransport(configuration).outcome(server.url()) == fault.outcome)
        // On a busy machine the time may be over before the request was sent.
        #expect(server.requests.count == 1 || fault.outcome == .failure(.timedOut))
        #expect(server.requests.count <= 1)
    }

    @Test func refusedConnectionIsAConnectionFailure() async throws {
        let port = try LoopbackServer.closedPort()
        #expect(try await HTTPTransport(.loopback).outcome("http://127.0.0.1:\(port)/") == .failure(.connection))
    }

    @Test func unknownNameIsNotResolved() async throws {
        let transport = try HTTPTransport(GuardedClient.Configuration(limits: .patient))
        #expect(await transport.outcome("https://no-such-name.invalid/") == .failure(.unresolvedName))
    }

    @Test func resolverThatHangsIsGivenUp() async throws {
        let hanging = AddressResolution { _ in
            try await Task.sleep(for: .seconds(3600))
            return []
        }
        let client = try GuardedClient(GuardedClient.Configuration(limits: .impatient), resolution: hanging)
        await #expect { try await client.send(OutgoingRequest(url: "https://idp.example/")) } throws: {
            ($0 as? RequestFailure)?.reason == .timedOut
        }
    }

    @Test func cancelledFetchSaysSo() async throws {
        let server = try LoopbackServer { _ in .hang }
        let transport = try HTTPTransport(.loopback)
        let fetch = Task { await transport.outcome(server.url()) }
        while server.requests.isEmpty { await Task.yield() }
        fetch.cancel()
        #expect(await fetch.value == .failure(.cancelled))
    }

    @Test func failureNamesTheURLWithoutItsQuery() async throws {
        let server = try LoopbackServer { _ in .status(302, [("Location", "https://elsewhere.example/?token=secret")]) }
        let transport = try HTTPTransport(.loopback)
        await #expect { _ = try await transport.fetch(DocumentRequest(url: server.url("/keys?token=secret"))) } throws: {
            let detail = ($0 as? FetchFailure)?.detail ?? ""
            return detail.contains("/keys") && !detail.contains("secret")
        }
    }
}
#endif
