#if IDaaS
package import Foundation
package import IDaaSServer
internal import JWTCore
package import Logging
package import Secrets

/// A server that really listens, on a free port of 127.0.0.1, over a store in a directory of its own, with a clock that a test moves.
///
/// Messages are in its outbox, one client called `demo` is registered, and its log and audit trail are kept. It ends with ``stop()``.
package final class LiveServer: Sendable {
    package static let client = "demo"

    package let server: IDaaSServer
    package let ready: IDaaSServer.Ready
    package let clock: ManualClock
    package let outbox: DevelopmentOutbox
    package let log: LogCapture
    /// Holds the database and the audit log.
    package let directory: URL
    private let running: Task<Void, any Error>
    private let ownsDirectory: Bool

    /// - Parameters:
    ///   - directory: of a server that has stopped, to start again over its store.
    ///   - gateway: instead of the outbox.
    ///   - configure: changes the configuration before the server starts.
    package init(
        clock: ManualClock = ManualClock(), randomness: Randomness = .system, directory: URL? = nil, gateway: (any SMSGateway)? = nil,
        logLevel: Logger.Level = .info, configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        self.clock = clock
        log = LogCapture()
        ownsDirectory = directory == nil
        self.directory = try directory ?? Self.freshDirectory()
        let configuration = Self.configuration(in: self.directory, configure)
        let ownOutbox = DevelopmentOutbox(capacity: 100_000)
        let server = try await IDaaSServer(
            configuration: configuration, clock: clock, randomness: randomness,
            gateway: gateway ?? (configuration.development ? nil : ownOutbox),
            environment: [ServerKey.variable: String(repeating: "5a", count: 32)],
            logger: log.logger(level: logLevel, clock: clock))
        self.server = server
        outbox = server.outbox ?? ownOutbox
        if try await server.services.clients.find(Self.client) == nil {
            try await Self.register(server.services)
        }
        (running, ready) = try await Self.start(server)
    }

    /// Ends it well: what is under way is answered.
    package func stop() async throws {
        server.shutDown()
        try await running.value
        if ownsDirectory { try? FileManager.default.removeItem(at: directory) }
    }

    /// The same, and its files stay for another server.
    package func stopKeepingFiles() async throws {
        server.shutDown()
        try await running.value
    }

    package var auditLines: [String] {
        let text = (try? String(contentsOf: directory.appending(path: "audit.jsonl"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Makes every page of the store unreadable.
    package func spoilStore() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasPrefix("idaas.sqlite") {
            let file = try FileHandle(forWritingTo: directory.appending(path: name))
            let size = try file.seekToEnd()
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(repeating: 0xff, count: Int(size)))
            try file.close()
        }
    }

    /// By its address, whatever its public name is.
    package func wireToItself(device: String = "device-1") -> WireClient {
        WireClient(url: "http://127.0.0.1:\(ready.port)", client: Self.client, device: device)
    }

    package func wire(client: String = LiveServer.client, device: String = "device-1") -> WireClient {
        WireClient(url: ready.url, client: client, device: device)
    }
}

extension LiveServer {
    /// Runs `body` with a server, and stops it whatever happens.
    package static func with<Result>(
        clock: ManualClock = ManualClock(), gateway: (any SMSGateway)? = nil, logLevel: Logger.Level = .info,
        configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        let server = try await LiveServer(clock: clock, gateway: gateway, logLevel: logLevel, configure: configure)
        do {
            let result = try await body(server)
            try await server.stop()
            return result
        } catch {
            try? await server.stop()
            throw error
        }
    }

    private static func configuration(
        in directory: URL, _ configure: (inout ServerConfiguration) -> Void
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.listen = "127.0.0.1:0"
        configuration.database = directory.appending(path: "idaas.sqlite").path
        configuration.audit.file = directory.appending(path: "audit.jsonl").path
        configure(&configuration)
        return configuration
    }

    private static func register(_ services: Services) async throws {
        _ = try await services.administration.addClient(name: "Demonstration", id: client)
    }

    /// Runs the server in a task, and waits until it answers or has failed.
    private static func start(_ server: IDaaSServer) async throws -> (Task<Void, any Error>, IDaaSServer.Ready) {
        let (readiness, report) = AsyncStream.makeStream(of: IDaaSServer.Ready.self)
        let running = Task {
            defer { report.finish() }
            try await server.run(heedsSignals: false) { report.yield($0) }
        }
        for await ready in readiness { return (running, ready) }
        try await running.value
        throw CancellationError()
    }

    private static func freshDirectory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(path: "idaas-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }
}
#endif
