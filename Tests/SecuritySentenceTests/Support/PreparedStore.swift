#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Logging

/// The files of a store in which a server has made its keys and its client. Every test has a copy: RSA keys take longer to make than most
/// tests to run.
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
        let server = try await LiveServer(clock: ManualClock(LiveFlows.start))
        try await server.stopKeepingFiles()
        defer { try? FileManager.default.removeItem(at: server.directory) }
        let names = try FileManager.default.contentsOfDirectory(atPath: server.directory.path).filter { $0.hasPrefix("idaas.sqlite") }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: server.directory.appending(path: $0))) })
    }
}

extension LiveServer {
    /// Another client, without a key for `X-signature`.
    func add(client id: String, settings: ClientSettings = ClientSettings()) async throws {
        let client = Client(id: id, name: id, settings: settings, signatureKey: nil, created: clock.now)
        try await server.services.store.write { try $0.save(client) }
    }

    /// Runs `body` with a server that has its keys already, and stops it whatever happens.
    static func running<Result>(
        clock: ManualClock = ManualClock(), gateway: (any SMSGateway)? = nil, logLevel: Logger.Level = .info,
        configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        let directory = try await PreparedStore.shared.copy()
        defer { try? FileManager.default.removeItem(at: directory) }
        let server = try await LiveServer(clock: clock, directory: directory, gateway: gateway, logLevel: logLevel, configure: configure)
        do {
            let result = try await body(server)
            try await server.stopKeepingFiles()
            return result
        } catch {
            try? await server.stopKeepingFiles()
            throw error
        }
    }
}
#endif
