#if HTTP
import IDaaSFlows
import JWKSCache
import AssayTesting
import Testing

/// Flows over real sockets, assembled as in a program.
@Suite struct LoopbackTests {
    /// - Parameter timeout: long by default: a machine that builds during the tests is slow.
    private static func flows(_ port: UInt16, timeout: Duration = .seconds(120)) throws -> Flows {
        var configuration = try FlowConfiguration(domain: "http://127.0.0.1:\(port)", clientID: "client-1")
        configuration.timeout = timeout
        return try Flows.http(configuration, store: MemorySessionStore())
    }

    static let faults: [(LoopbackAnswer, FlowError.Reason)] = [
        (.reset, .transport(RequestFailure(.connection))), (.close, .transport(RequestFailure(.connection))),
        (.raw("no HTTP\r\n\r\n"), .transport(RequestFailure(.malformed))),
        (.redirect(302, to: "https://elsewhere.example/"), .transport(RequestFailure(.redirect))),
        (.redirect(307, to: "/api/v2/sdk/other"), .transport(RequestFailure(.redirect))),
        (.status(502, [("Content-Type", "text/html")], body: Array("<html>".utf8)), .unexpectedAnswer(status: 502)),
        (.status(200, body: [UInt8](repeating: 0x20, count: (1 << 20) + 1)), .transport(RequestFailure(.tooLarge))),
        (.hang, .transport(RequestFailure(.timedOut))),
    ]

    @Test(arguments: faults.indices)
    func whatGoesWrongOnTheWayIsTypedAndNoLoginIsSentTwice(_ index: Int) async throws {
        let (answer, reason) = Self.faults[index]
        let server = try LoopbackServer { _ in answer }
        let isTimeOut = reason == .transport(RequestFailure(.timedOut))
        let timeout: Duration = isTimeOut ? .milliseconds(200) : .seconds(120)
        let outcome = try await Self.flows(server.port, timeout: timeout).sms.logIn(mobile: "13800000000", code: "123456")
        guard let failure = outcome.failure else {
            Issue.record("the login does not fail")
            return
        }
        switch (failure.reason, reason) {
        case (.transport(let seen), .transport(let expected)): #expect(seen.reason == expected.reason)
        default: #expect(failure.reason == reason)
        }
        // On a busy machine the time-out may come before the request is sent.
        #expect((isTimeOut ? 0...1 : 1...1).contains(server.requests.count))
    }

    @Test
    func nobodyListeningIsOffline() async throws {
        #expect(try await Self.flows(LoopbackServer.closedPort()).areaCodes.list().failure?.isOffline == true)
    }

    @Test
    func aCallEndsWhenItsTaskIsCancelledWhateverTheServerDoes() async throws {
        let server = try LoopbackServer { _ in .hang }
        let flows = try Self.flows(server.port)
        let task = Task { await flows.areaCodes.list() }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled)
    }
}
#endif
