#if IDaaS
import IDaaSFlows
import IDaaSHTTP
import IDaaSServer
import IDaaSTestSupport
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import LoginSupport

/// A program's flows to a running server, over HTTP as the program has them, by a clock that a test moves. What they ask is kept.
struct LiveFlows: Sendable {
    let flows: Flows
    let clock: JWKSTestSupport.ManualClock
    let requests: KeptRequests
    let documents: KeptDocuments
    let store: any SessionStore
    private let server: LiveServer

    /// Servers of flows begin here: so far from any present that nobody's clock is corrected by the `Date` of an answer, which is the
    /// machine's.
    static let start = Timestamp(seconds: 1_700_000_000)

    init(
        _ server: LiveServer, client: String = LiveServer.client, store: any SessionStore = MemorySessionStore(),
        configure: (inout FlowConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = try FlowConfiguration(domain: server.ready.url, clientID: client)
        configuration.language = .english
        // A machine that builds beside the tests is slow, and none of them is about that.
        configuration.timeout = .seconds(120)
        configure(&configuration)
        clock = JWKSTestSupport.ManualClock(date: server.clock.now.seconds)
        var environment = try FlowEnvironment.http(for: configuration, store: store)
        requests = KeptRequests(over: environment.transport)
        documents = KeptDocuments(over: environment.keyTransport)
        environment.transport = requests
        environment.keyTransport = documents
        environment.clock = clock
        flows = Flows(configuration, environment)
        self.store = store
        self.server = server
    }

    /// Moves the server's clock and the program's.
    func advance(by seconds: Int) {
        server.clock.advance(by: seconds)
        clock.advance(by: .seconds(seconds))
    }

    /// Slider, SMS and login, as a person goes about it.
    @discardableResult
    func logIn(_ mobile: String = "+86-13800000000") async throws -> IDaaSFlows.Session {
        _ = try await flows.sms.requestCode(mobile: mobile, slider: SolvingPresenter()).get()
        return try await flows.sms.logIn(mobile: mobile, code: try await server.lastCode(of: mobile)).get()
    }
}

extension LiveServer {
    /// Runs `body` with a server that flows can speak to.
    static func withFlows<Result>(
        gateway: (any SMSGateway)? = nil, configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        try await running(clock: IDaaSTestSupport.ManualClock(LiveFlows.start), gateway: gateway, configure: configure, body)
    }
}

/// Sends what flows ask, and keeps it.
final class KeptRequests: FlowTransport {
    private let transport: any FlowTransport
    private let kept = Guarded([FlowRequest]())
    private let held = Guarded<(path: String, gate: Gate)?>(nil)

    init(over transport: any FlowTransport) { self.transport = transport }

    var all: [FlowRequest] { kept.withLock { $0 } }

    /// Lets nothing out to a path before the gate is open.
    func hold(_ path: String, at gate: Gate) { held.withLock { $0 = (path, gate) } }

    func send(_ request: FlowRequest) async throws(TransportFailure) -> FlowResponse {
        kept.withLock { $0.append(request) }
        if let held = held.withLock({ $0 }), request.url.hasSuffix(held.path) { await held.gate.pass() }
        return try await transport.send(request)
    }
}

/// Fetches the issuer's documents, and keeps what was asked for.
final class KeptDocuments: DocumentTransport {
    private let transport: any DocumentTransport
    private let kept = Guarded([DocumentRequest]())

    init(over transport: any DocumentTransport) { self.transport = transport }

    var count: Int { kept.withLock { $0.count { $0.url.hasSuffix("/keys") } } }
    var urls: [String] { kept.withLock { $0.map(\.url) } }

    func fetch(_ request: DocumentRequest) async throws(FetchFailure) -> DocumentResponse {
        kept.withLock { $0.append(request) }
        return try await transport.fetch(request)
    }
}
#endif
