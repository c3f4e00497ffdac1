import Foundation
import IDaaSServer
import IDaaSTestSupport
import Logging
import Testing

/// The files of a store in which a server has made its keys and its client. Every test gets a copy: making RSA keys takes longer than most
/// tests.
private actor PreparedStore {
    static let shared = PreparedStore()
    private var making: Task<[String: Data], any Error>?

    /// A fresh directory with the files in it.
    func copy() async throws -> URL {
        let making = self.making ?? Task { try await Self.make() }
        self.making = making
        let directory = FileManager.default.temporaryDirectory.appending(path: "idaas-\(UUID().uuidString)")
        let files = try await making.value
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: directory.appending(path: name)) }
        return directory
    }

    private static func make() async throws -> [String: Data] {
        let server = try await LiveServer(clock: ManualServerClock(LiveFlows.start))
        try await server.stopKeepingFiles()
        defer { try? FileManager.default.removeItem(at: server.directory) }
        let names = try FileManager.default.contentsOfDirectory(atPath: server.directory.path).filter { $0.hasPrefix("idaas.sqlite") }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: server.directory.appending(path: $0))) })
    }
}

/// Limits the number of servers at once: otherwise they would answer so slowly that requests time out.
private actor Places {
    static let servers = Places(6)
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension LiveServer {
    /// Another client, without a key for `X-signature`.
    func add(client id: String, settings: ClientSettings = ClientSettings()) async throws {
        let client = Client(id: id, name: id, settings: settings, signatureKey: nil, created: clock.now)
        try await server.services.store.write { try $0.save(client) }
    }

    /// Runs `body` with a server that already has its keys, and always stops it.
    static func running<Result>(
        clock: ManualServerClock = ManualServerClock(), gateway: (any SMSGateway)? = nil, logLevel: Logger.Level = .info,
        configure: (inout ServerConfiguration) -> Void = { _ in }, adjust: (inout ServiceEnvironment) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        await Places.servers.take()
        do {
            let result = try await prepared(clock, gateway, logLevel, configure, adjust, body)
            await Places.servers.leave()
            return result
        } catch {
            await Places.servers.leave()
            throw error
        }
    }

    /// The same with only the limits of codes and of the captcha's lock.
    static func unlimited<Result>(_ body: (LiveServer) async throws -> Result) async throws -> Result {
        try await running(configure: { $0.limits = .without() }, body)
    }

    private static func prepared<Result>(
        _ clock: ManualServerClock, _ gateway: (any SMSGateway)?, _ logLevel: Logger.Level,
        _ configure: (inout ServerConfiguration) -> Void,
        _ adjust: (inout ServiceEnvironment) -> Void, _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        let directory = try await PreparedStore.shared.copy()
        defer { try? FileManager.default.removeItem(at: directory) }
        let server = try await LiveServer(
            clock: clock, directory: directory, ownsDirectory: true, gateway: gateway, logLevel: logLevel, configure: configure,
            adjust: adjust)
        do {
            let result = try await body(server)
            try await server.stop()
            return result
        } catch {
            try? await server.stop()
            throw error
        }
    }
}

extension Trait where Self == ServerTrait {
    static var preparedServer: Self { preparedServer() }

    static func preparedServer(_ configure: @Sendable @escaping (inout ServerConfiguration) -> Void = { _ in }) -> Self {
        Self { body in try await LiveServer.running(configure: configure, body) }
    }

    static var unlimitedServer: Self { Self { try await LiveServer.unlimited($0) } }
}
