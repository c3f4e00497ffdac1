import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import LoginSupport
import Testing

/// A program's flows to a running server over HTTP, with a clock that a test moves. The requests are recorded.
struct LiveFlows: Sendable {
    let flows: Flows
    let clock: ManualClock
    let requests: KeptRequests
    let documents: KeptDocuments
    let store: any SessionStore
    private let server: LiveServer

    /// The start time of the flows' servers: so far from the present that the `Date` of an answer, which is the machine's time, corrects no
    /// clock.
    static let start = Timestamp(seconds: 1_700_000_000)

    init(
        _ server: LiveServer, client: String = LiveServer.client, store: any SessionStore = MemorySessionStore(),
        configure: (inout FlowConfiguration) -> Void = { _ in }, adjust: (inout FlowEnvironment) -> Void = { _ in }
    ) throws {
        var configuration = try FlowConfiguration(domain: server.ready.url, clientID: client)
        configuration.language = .english
        // A machine that builds during the tests is slow, and no test is about that.
        configuration.timeout = .seconds(120)
        configure(&configuration)
        clock = ManualClock(date: server.clock.now.seconds)
        var environment = try FlowEnvironment.http(for: configuration, store: store)
        requests = KeptRequests(over: environment.transport)
        documents = KeptDocuments(over: environment.keyTransport)
        environment.transport = requests
        environment.keyTransport = documents
        environment.clock = clock
        adjust(&environment)
        flows = Flows(configuration, environment)
        self.store = store
        self.server = server
    }

    /// Moves the server's clock and the program's.
    func advance(by seconds: Int) {
        server.clock.advance(by: seconds)
        clock.advance(by: .seconds(seconds))
    }

    /// Slider, SMS and login, as a user does them.
    @discardableResult
    func logIn(_ mobile: String = "+86-13800000000") async throws -> Session {
        _ = try await flows.sms.requestCode(mobile: mobile, slider: SolvingPresenter()).get()
        return try await flows.sms.logIn(mobile: mobile, code: try await server.lastCode(of: mobile)).get()
    }
}

extension Trait where Self == ServerTrait {
    /// A server for flows.
    static var flowsServer: Self {
        Self { body in try await LiveServer.running(clock: ManualServerClock(LiveFlows.start), body) }
    }
}

/// Records the flows' requests, and sends them with a time-out that a busy machine keeps.
final class KeptRequests: FlowTransport {
    private let transport: any FlowTransport
    private let kept = Guarded([OutgoingRequest]())
    private let held = Guarded<(path: String, gate: Gate)?>(nil)

    init(over transport: any FlowTransport) { self.transport = transport }

    var all: [OutgoingRequest] { kept.withLock { $0 } }

    /// Holds requests to a path until the gate is open.
    func hold(_ path: String, at gate: Gate) { held.withLock { $0 = (path, gate) } }

    func send(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        kept.withLock { $0.append(request) }
        if let held = held.withLock({ $0 }), request.url.hasSuffix(held.path) { await held.gate.pass() }
        return try await transport.send(
            OutgoingRequest(
                request.method, url: request.url, fields: request.fields, body: request.body,
                timeLimit: max(request.timeLimit ?? .zero, .seconds(120))))
    }
}

/// Fetches the issuer's documents, and records the requests.
final class KeptDocuments: DocumentTransport {
    private let transport: any DocumentTransport
    private let kept = Guarded([OutgoingRequest]())

    init(over transport: any DocumentTransport) { self.transport = transport }

    var count: Int { kept.withLock { $0.count { $0.url.hasSuffix("/keys") } } }
    var urls: [String] { kept.withLock { $0.map(\.url) } }

    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        kept.withLock { $0.append(request) }
        return try await transport.fetch(request)
    }
}
