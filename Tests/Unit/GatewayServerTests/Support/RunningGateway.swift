import GatewayServer
import HTTPEdge
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks
import Logging

/// A service on loopback with a scripted issuer, a clock that a test moves, and its configuration in a folder of its own.
struct RunningGateway {
    let server: GatewayServer
    let ready: GatewayServer.Ready
    let folder: TemporaryFolder
    let clock: ManualClock
    let transport: ScriptedTransport
    let forge: TokenForge
    let log: Lines

    var edge: String { ready.listeners["edge"]?.first ?? "" }
    var administration: String { ready.administration.first ?? "" }
    var file: String { folder.path + "/gateway.yaml" }

    /// Runs `body` with a service of `text`, and ends the service.
    ///
    /// - Parameters:
    ///   - usesHTTP: whether keys are fetched over HTTP, and not by `transport`.
    ///   - store: keeps what events revoke, in place of a file.
    ///   - publishes: whether the issuer of the sample has keys, which are waited for.
    static func with(
        _ text: String = SampleConfiguration.text, folder: TemporaryFolder? = nil, transport: ScriptedTransport = ScriptedTransport(),
        usesHTTP: Bool = false, publishes: Bool = true, drainStep: Duration = .milliseconds(100), logLevel: Logger.Level = .trace,
        store: (any RevocationStore)? = nil,
        _ body: (RunningGateway) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder(), clock = ManualClock(), log = Lines(), forge = TokenForge(.es256)
        if publishes { transport.answer("https://idp.example/jwks", "{\"keys\":[\(forge.jwk)]}") }
        let file = try folder.write("gateway.yaml", text)
        var surroundings = GatewayServer.Surroundings()
        surroundings.transport = usesHTTP ? nil : transport
        surroundings.clock = clock
        surroundings.date = clock
        var logger = log.logger
        logger.logLevel = logLevel
        surroundings.logger = logger
        surroundings.environment = [:]
        surroundings.drainStep = drainStep
        surroundings.revocationStore = store
        let server = try GatewayServer(file: file, surroundings: surroundings)
        let (started, announce) = AsyncStream.makeStream(of: GatewayServer.Ready.self)
        let running = Task {
            defer { announce.finish() }
            try await server.run(heedsSignals: false) { announce.yield($0) }
        }
        guard let ready = await started.first(where: { _ in true }) else { return try await running.value }
        let gateway = RunningGateway(
            server: server, ready: ready, folder: folder, clock: clock, transport: transport, forge: forge, log: log)
        do {
            if publishes { try await gateway.waitUntilReady() }
            try await body(gateway)
        } catch {
            server.shutDown()
            try await running.value
            throw error
        }
        server.shutDown()
        try await running.value
    }

    /// The nginx question about a request of a client.
    func ask(_ path: String = "/orders", method: String = "GET", _ fields: [String] = []) async throws -> GatewayClient.Answer? {
        try await GatewayClient.get(
            edge, "/decide", fields: ["X-Original-URI: \(path)", "X-Original-Method: \(method)"] + fields)
    }

    func ask(bearing token: String) async throws -> GatewayClient.Answer? { try await ask(["Authorization: Bearer \(token)"]) }

    func ask(_ fields: [String]) async throws -> GatewayClient.Answer? { try await ask("/orders", fields) }

    func operate(_ path: String) async throws -> GatewayClient.Answer? { try await GatewayClient.get(administration, path) }

    private func waitUntilReady() async throws {
        for _ in 0..<2_000 where (try? await operate("/readyz"))?.status == 200 {
            return
        }
        throw NeverReady()
    }

    struct NeverReady: Error {}

    /// Moves the clock until the watch has looked once.
    func look() async {
        // The watch, the history and the refresh of keys sleep.
        _ = await settles { clock.sleeperCount >= 3 }
        clock.advance(by: .seconds(1))
        _ = await settles { clock.sleeperCount >= 3 }
    }

    /// Moves the clock until the watch has looked twice, which a change needs to count. False if `condition` does not come to hold.
    func lookTwice(until condition: @Sendable () -> Bool) async -> Bool {
        for _ in 0..<20 {
            // The watch, the history and the refresh of keys sleep.
            _ = await settles { clock.sleeperCount >= 3 }
            clock.advance(by: .seconds(1))
            for _ in 0..<500 where !condition() { await Task.yield() }
            if condition() { return true }
        }
        return false
    }
}

/// Keeps the lines of a log.
final class Lines: Sendable {
    private let kept = Locked<[String]>([])

    var all: [String] { kept.withLock { $0 } }
    var text: String { all.joined() }

    var logger: Logger {
        Logger(label: "gateway") { label in
            JSONLinesLog(label: label, level: .trace, write: { line in self.kept.withLock { $0.append(line) } })
        }
    }
}
