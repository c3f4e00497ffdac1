package import Foundation
package import IDaaSServer
internal import IDaaSWire
internal import Secrets
package import Testing

/// The store of a test: a file in its folder, or a schema of its own on the PostgreSQL server whose socket is in the folder
/// `ASSAY_TEST_POSTGRES` (scripts/postgres.sh).
package enum TestStore {
    /// The folder of the server's socket; nil where tests use files.
    package static let server = ProcessInfo.processInfo.environment["ASSAY_TEST_POSTGRES"]

    /// The setting `database` for a test with this folder: the same for each server on it.
    package static func database(in folder: URL) throws -> String {
        guard let server else { return folder.appending(path: "idaas.sqlite").path }
        let schema = schema(folder)
        try run("CREATE SCHEMA IF NOT EXISTS \(schema)", on: server)
        return "postgresql:///postgres?host=\(server)&user=postgres&options=-csearch_path%3D\(schema)"
    }

    /// A folder has a name of its own; a schema's has at most 63 bytes.
    package static func schema(_ folder: URL) -> String {
        "t" + Array(Digest256.of(Array(folder.path.utf8)).prefix(12)).hexadecimal
    }

    /// Takes every table away.
    static func spoil(_ folder: URL, on server: String) throws { try run("DROP SCHEMA \(schema(folder)) CASCADE", on: server) }

    /// Runs statements in the schema of a folder, as another program.
    ///
    /// - Returns: the rows, one a line.
    package static func run(_ sql: String, in folder: URL) throws -> String {
        try run("SET search_path = \(schema(folder)); " + sql, on: server ?? "")
    }

    /// Runs a statement that no transaction may have.
    package static func runAlone(_ sql: String) throws { try run(sql, on: server ?? "") }

    package static func open(in folder: URL, observer: @escaping @Sendable (String) -> Void) throws -> any Store {
        let database = try database(in: folder)
        guard server != nil else { return try SQLiteStore(path: database, observer: observer) }
        return try PostgresStore(url: database, connections: 4, observer: observer)
    }

    /// What the tables of a folder's schema have on the disk.
    static func bytes(in folder: URL) throws -> [UInt8] {
        let tables = "relnamespace = current_schema()::regnamespace"
        let hexadecimal = try run(
            """
            CHECKPOINT;
            SELECT encode(pg_read_binary_file(pg_relation_filepath(oid)), 'hex') FROM pg_class
            WHERE (\(tables) OR oid IN (SELECT reltoastrelid FROM pg_class WHERE \(tables)))
                AND relkind IN ('r', 'i', 't') AND pg_relation_size(oid) > 0
            """, in: folder)
        return hexadecimal.split(separator: "\n" as Character).flatMap { line -> [UInt8] in
            let digits = line.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
    }

    @discardableResult
    private static func run(_ sql: String, on server: String) throws -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/psql")
        process.arguments = ["-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", server, "-U", "postgres", "-c", sql, "postgres"]
        process.standardOutput = output
        try process.run()
        let rows = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
        return rows.hasSuffix("\n") ? String(rows.dropLast()) : rows
    }
}

extension Trait where Self == ConditionTrait {
    /// A test about a store that is a file.
    package static var fileStore: Self { .enabled("it is about a file") { TestStore.server == nil } }

    /// A test about PostgreSQL.
    package static var postgres: Self { .enabled("it is about PostgreSQL") { TestStore.server != nil } }
}
