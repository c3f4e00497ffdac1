import Foundation
import IDaaSServer
import IDaaSTestSupport

/// A schema on the PostgreSQL server of the tests, and a role that owns it and nothing else.
struct OwnedSchema: Sendable {
    /// Names the schema; nothing makes it.
    let folder = FileManager.default.temporaryDirectory.appending(path: "postgres-\(UUID())")
    /// The schema's name too.
    let role: String
    /// The database as that role.
    let url: String

    init() throws {
        let database = try TestStore.database(in: folder)
        role = TestStore.schema(folder)
        url = database.replacing("user=postgres", with: "user=\(role)")
        try run("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 40; ALTER SCHEMA \(role) OWNER TO \(role)")
    }

    func store(
        opening: StoreOpening = .makingIfMissing, connections: Int = 4, time: Duration = .seconds(60)
    ) throws -> PostgresStore {
        try PostgresStore(url: url, opening: opening, connections: connections, time: time)
    }

    /// Runs statements as another program with all rights.
    ///
    /// - Returns: the rows, one a line.
    @discardableResult
    func run(_ sql: String) throws -> String { try TestStore.run(sql, in: folder) }

    /// Ends the connections of this role's stores.
    ///
    /// - Returns: how many there were.
    func endConnections() throws -> Int {
        Int(try run("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '\(role)'")) ?? 0
    }

    /// The server's processes for the connections of this role.
    func processes() throws -> [String] {
        try run("SELECT pid FROM pg_stat_activity WHERE usename = '\(role)'").split(separator: "\n").map(String.init)
    }

    /// Sends a signal to processes of the server.
    static func signal(_ name: String, _ processes: [String]) throws {
        guard !processes.isEmpty else { return }
        try Process.run(URL(filePath: "/bin/kill"), arguments: ["-\(name)"] + processes).waitUntilExit()
    }
}
