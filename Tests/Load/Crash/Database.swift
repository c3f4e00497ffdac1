internal import Foundation

/// The store of an installation.
struct Database: Sendable {
    /// The setting of a server.
    let setting: String
    /// The folder of a server of PostgreSQL; nil for a file.
    let cluster: String?

    static func file(in directory: URL) -> Database {
        Database(setting: directory.appending(path: "idaas.sqlite").path, cluster: nil)
    }

    /// A new database of a server that scripts/postgres.sh started, and of its replica.
    static func made(in cluster: String) throws -> Database {
        let name = "crash\(UInt32.random(in: 0 ... .max))"
        try run("/usr/bin/env", ["psql", "-q", "-h", cluster, "-U", "postgres", "-c", "CREATE DATABASE \(name)"])
        return Database(setting: "postgresql:///\(name)?host=\(cluster),\(cluster)&port=5432,5433&user=postgres", cluster: cluster)
    }

    /// - Parameter command: of scripts/postgres.sh.
    func order(_ command: String) throws {
        guard let cluster else { throw Wrong("the store is a file") }
        try Self.run("scripts/postgres.sh", [command, cluster])
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Wrong("\(program) \(arguments) ended with \(process.terminationStatus)") }
    }
}
