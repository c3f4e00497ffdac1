package import Foundation
internal import HTTPEdge
package import IDaaSServer
internal import JWTCore
package import Logging
package import Secrets

/// A server that listens on a free port of 127.0.0.1, over a store in its own directory, with a clock that a test moves.
///
/// Its outbox has the messages, one client called `demo` is registered, and its log and audit trail are recorded. ``stop()`` ends it.
package final class LiveServer: Sendable {
    package static let client = "demo"

    package let server: ReferenceServer
    package let ready: ReferenceServer.Ready
    package let clock: ManualServerClock
    package let outbox: DevelopmentOutbox
    package let log: LogCapture
    /// Contains the database and the audit log.
    package let directory: URL
    private let running: Task<Void, any Error>
    private let ownsDirectory: Bool
    private let keys = LentKeys()

    /// - Parameters:
    ///   - directory: of a stopped server, to start again over its store.
    ///   - ownsDirectory: whether ``stop()`` removes the directory; nil: only one that this server made.
    ///   - gateway: replaces the outbox.
    ///   - configure: changes the configuration before the server starts.
    ///   - adjust: changes what its services share.
    package init(
        clock: ManualServerClock = ManualServerClock(), randomness: Randomness = .system, directory: URL? = nil, ownsDirectory: Bool? = nil,
        gateway: (any SMSGateway)? = nil, logLevel: Logger.Level = .info, configure: (inout ServerConfiguration) -> Void = { _ in },
        adjust: (inout ServiceEnvironment) -> Void = { _ in }
    ) async throws {
        self.clock = clock
        log = LogCapture()
        self.ownsDirectory = ownsDirectory ?? (directory == nil)
        self.directory = try directory ?? Self.freshDirectory()
        let configuration = try Self.configuration(in: self.directory, configure)
        let keys = keys
        let ownOutbox = DevelopmentOutbox(capacity: 100_000)
        let server = try await ReferenceServer(
            configuration: configuration, clock: clock, randomness: randomness,
            gateway: gateway ?? (configuration.development ? nil : ownOutbox),
            environment: [ServerKey.variable: String(repeating: "5a", count: 32)],
            logger: log.logger(level: logLevel, clock: clock)
        ) {
            $0.keyGeneration = keys.generation
            $0.statusLists.size = 4_096
            adjust(&$0)
        }
        self.server = server
        outbox = server.outbox ?? ownOutbox
        if try await server.services.clients.find(Self.client) == nil {
            try await Self.register(server.services)
        }
        (running, ready) = try await Self.start(server)
    }

    /// Stops it gracefully: requests under way are answered.
    package func stop() async throws {
        server.shutDown()
        try await running.value
        guard ownsDirectory else { return }
        keys.giveBack()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Stops it and keeps its files for another server.
    package func stopKeepingFiles() async throws {
        server.shutDown()
        try await running.value
    }

    package var auditLines: [String] {
        let text = (try? String(contentsOf: directory.appending(path: "audit.jsonl"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Makes every page of the store unreadable, or takes the tables away.
    ///
    /// It holds the lock of the store's only writer. Otherwise maintenance, which starts with the server, may read between two files: SQLite
    /// then rebuilds its index from a log that is still whole, and goes on answering from its cache.
    package func spoilStore() async throws {
        if let server = TestStore.server { return try TestStore.spoil(directory, on: server) }
        try await server.services.store.write { [directory] _ in
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasPrefix("idaas.sqlite") {
                let file = try FileHandle(forWritingTo: directory.appending(path: name))
                let size = try file.seekToEnd()
                try file.seek(toOffset: 0)
                try file.write(contentsOf: Data(repeating: 0xff, count: Int(size)))
                try file.close()
            }
        }
    }

    /// The bytes of the store on its disk: a file with SQLite's log, or the files of a schema's tables and indices.
    package func storedBytes() throws -> [UInt8] {
        if TestStore.server != nil { return try TestStore.bytes(in: directory) }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix("idaas.sqlite") }
        guard names.contains("idaas.sqlite-wal") else { throw CocoaError(.fileNoSuchFile) }
        return try names.flatMap { Array(try Data(contentsOf: directory.appending(path: $0))) }
    }

    /// A client for its address, whatever its public name is.
    package func wireToItself(device: String = "device-1") -> WireClient {
        WireClient(url: "http://127.0.0.1:\(ready.port)", client: Self.client, device: device)
    }

    package func wire(client: String = LiveServer.client, device: String = "device-1") -> WireClient {
        WireClient(url: ready.url, client: client, device: device)
    }
}

extension LiveServer {
    /// Runs `body` with a server, and always stops it.
    package static func with<Result>(
        clock: ManualServerClock = ManualServerClock(), gateway: (any SMSGateway)? = nil, logLevel: Logger.Level = .info,
        configure: (inout ServerConfiguration) -> Void = { _ in }, adjust: (inout ServiceEnvironment) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        let server = try await LiveServer(clock: clock, gateway: gateway, logLevel: logLevel, configure: configure, adjust: adjust)
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
    ) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.listen = "127.0.0.1:0"
        configuration.database = try TestStore.database(in: directory)
        configuration.audit.file = directory.appending(path: "audit.jsonl").path
        // In a busy process, a client's task can come late.
        configuration.connections.headTimeout = .seconds(120)
        configuration.connections.drainTimeout = .seconds(120)
        configure(&configuration)
        return configuration
    }

    private static func register(_ services: Services) async throws {
        _ = try await services.administration.addClient(name: "Demonstration", id: client)
    }

    /// Runs the server in a task, and waits until it answers or fails.
    private static func start(_ server: ReferenceServer) async throws -> (Task<Void, any Error>, ReferenceServer.Ready) {
        let (readiness, report) = AsyncStream.makeStream(of: ReferenceServer.Ready.self)
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
