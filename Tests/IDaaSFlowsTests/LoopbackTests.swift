#if HTTP
import IDaaSFlows
import IDaaSHTTP
import JWKSTestSupport
import JWTTestSupport
import LoopbackServer
import Testing

/// Flows over real sockets, put together as a program does it.
@Suite struct LoopbackTests {
    /// A server that knows one way through, and nothing else.
    private static func server() throws -> LoopbackServer {
        let server = try LoopbackServer { _ in .close }
        let issuer = server.url("/api/v1/oauth2")
        let token = Tenant.forge.token(loopbackClaims(issuer))
        server.answer { request in
            guard request.path.hasPrefix("/api/v1") || request.field("x-client-id") == "client-1" else { return .status(400) }
            switch (request.method, request.path) {
            case ("GET", "/api/v1/oauth2/.well-known/openid-configuration"):
                return .json(#"{"issuer":"\#(issuer)","jwks_uri":"\#(issuer)/keys"}"#)
            case ("GET", "/api/v1/oauth2/keys"): return .json("{\"keys\":[\(Tenant.forge.jwk)]}")
            case ("GET", Path.captcha): return .json(SliderTests.picture.replacing("KEY", with: "null"))
            case ("POST", Path.verify): return .json(#"{"captcha_token":"c-1"}"#)
            case ("POST", Path.send): return .status(200)
            case ("POST", Path.login): return .json(#"{"session_token":"s-1","expire":60,"status":"SUCCESS","id_token":"\#(token)"}"#)
            case ("POST", Path.refresh): return .json(#"{"session_token":"s-2","expire":60,"id_token":"\#(token)"}"#)
            case ("POST", Path.logout): return .json("{}")
            default: return .status(404)
            }
        }
        return server
    }

    private static func loopbackClaims(_ issuer: String) -> String {
        // The clock is the machine's: as far in the future as a date goes.
        Tenant.claims(["iss": issuer, "exp": 253_402_300_799])
    }

    private static func flows(_ server: LoopbackServer) throws -> Flows {
        var configuration = try FlowConfiguration(domain: "http://127.0.0.1:\(server.port)", clientID: "client-1")
        // A machine that builds beside the tests is slow, and none of them is about that.
        configuration.timeout = .seconds(120)
        return try Flows.http(configuration, store: MemorySessionStore())
    }

    @Test("A login, a verification, a refresh and a logout go over sockets")
    func wholeFlow() async throws {
        let server = try Self.server(), flows = try Self.flows(server)
        let pending = try await flows.sms.requestCode(mobile: "13800000000", slider: ScriptedSlider(.point(SliderPoint(x: 9)))).get()
        let session = try await flows.sms.logIn(mobile: pending.mobile, code: "123456").get()
        #expect(try await flows.identity.userInfo(of: session.idToken).get().id == "u-1")
        #expect(try await flows.sessions.renew().get().sessionToken == "s-2")
        #expect(await flows.sessions.logOut().failure == nil)
        let login = try #require(server.requests.first { $0.path == Path.login })
        #expect(login.field("content-type") == "application/json;charset=utf8")
        #expect(String(decoding: login.body, as: UTF8.self) == #"{"mobile":"13800000000","verify_code":"123456"}"#)
    }

    static let faults: [(Answer, FlowError.Reason)] = [
        (.reset, .transport(TransportFailure(.connection))), (.close, .transport(TransportFailure(.connection))),
        (.raw("no HTTP\r\n\r\n"), .transport(TransportFailure(.malformed))),
        (.redirect(302, to: "https://elsewhere.example/"), .transport(TransportFailure(.redirect))),
        (.redirect(307, to: "/api/v2/sdk/other"), .transport(TransportFailure(.redirect))),
        (.status(502, [("Content-Type", "text/html")], body: Array("<html>".utf8)), .unexpectedAnswer(status: 502)),
        (.status(200, body: [UInt8](repeating: 0x20, count: (1 << 20) + 1)), .transport(TransportFailure(.tooLarge))),
    ]

    @Test("What goes wrong on the way is typed, and no login is sent twice", arguments: faults.indices)
    func fault(_ index: Int) async throws {
        let (answer, reason) = Self.faults[index]
        let server = try LoopbackServer { _ in answer }
        let outcome = try await Self.flows(server).sms.logIn(mobile: "13800000000", code: "123456")
        guard let failure = outcome.failure else { return #expect(Bool(false)) }
        switch (failure.reason, reason) {
        case (.transport(let seen), .transport(let expected)): #expect(seen.reason == expected.reason)
        default: #expect(failure.reason == reason)
        }
        #expect(server.requests.count == 1)
    }

    @Test("Nobody listening is offline")
    func closedPort() async throws {
        let flows = try Flows.http(
            FlowConfiguration(domain: "http://127.0.0.1:\(LoopbackServer.closedPort())", clientID: "client-1"), store: MemorySessionStore())
        #expect(await flows.areaCodes.list().failure?.isOffline == true)
    }

    @Test("The time-out of the configuration is kept")
    func timeOut() async throws {
        let server = try LoopbackServer { _ in .hang }
        var configuration = try FlowConfiguration(domain: "http://127.0.0.1:\(server.port)", clientID: "client-1")
        configuration.timeout = .milliseconds(200)
        let failure = try await Flows.http(configuration, store: MemorySessionStore()).areaCodes.list().failure
        guard case .transport(let transport) = failure?.reason else { return #expect(Bool(false)) }
        #expect(transport.reason == .timedOut)
    }

    @Test("A call ends when its task is cancelled, whatever the server does")
    func cancelled() async throws {
        let server = try LoopbackServer { _ in .hang }
        let flows = try Self.flows(server)
        let task = Task { await flows.areaCodes.list() }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled)
    }
}
#endif
