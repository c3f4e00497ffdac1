internal import Foundation
internal import GRDB

/// The store in one SQLite file.
///
/// With its write-ahead log, readers continue while a writer writes. With synchronous=FULL an answer survives a power failure, not only the
/// end of the process.
package final class SQLiteStore: Store {
    private let pool: DatabasePool
    private let observer: (@Sendable (String) -> Void)?
    package let signals = SignalBell()

    /// Opens the database at `path` and migrates its schema. An existing file keeps its mode.
    ///
    /// - Parameter observer: gets the SQL of each statement in a transaction.
    /// - Throws: ``DatabaseFailure`` for a file that is not a database of this server, or one of a later version; errors of SQLite.
    package init(path: String, opening: StoreOpening = .makingIfMissing, observer: (@Sendable (String) -> Void)? = nil) throws {
        let path = DatabaseFile.plain(path)
        if opening == .makingIfMissing, !DatabaseFile.exists(path) { try Self.make(path) }
        let claim = try DatabaseClaim(path: path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 8
        // Every connection has the configuration, so the claim lasts as long as the last connection.
        configuration.prepareDatabase { _ in withExtendedLifetime(claim) {} }
        pool = try DatabasePool(path: path, configuration: configuration)
        self.observer = observer
        // GRDB sets NORMAL after it turns the log on, so this has to come later.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try SQLiteSchema.migrate(pool, path)
    }

    /// Two processes may start at once: one of them creates the file.
    private static func make(_ path: String) throws {
        do {
            try DatabaseFile.make(at: path) { try SQLiteSchema.migrator.migrate($0) }
        } catch let failure as DatabaseFailure where failure.code == .exists {}
    }

    package func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await pool.read { [observer] in try body(SQLTransaction(session: SQLiteSession(database: $0), observer: observer)) }
    }

    package func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try await signals.afterwards { mark in
            try await pool.write { [observer] in
                try body(SQLTransaction(session: SQLiteSession(database: $0), observer: observer, mark: mark))
            }
        }
    }

    /// Copies every record, as of one instant, into `target`. Blocks.
    ///
    /// - Returns: the number of rows.
    func copy(to target: any SQLSession) throws -> Int {
        try pool.read { try Schema.copy(from: SQLiteSession(database: $0), to: target) }
    }

    package func backUp(to path: String) async throws { try DatabaseFile.make(at: DatabaseFile.plain(path)) { try pool.backup(to: $0) } }

    package func check() async throws {
        // A row of 64 KiB needs new pages. A database that cannot grow refuses the row.
        try await pool.write {
            try $0.execute(sql: "INSERT INTO revisions (name, value) VALUES (hex(zeroblob(32768)), 0)")
            try $0.execute(sql: "DELETE FROM revisions WHERE length(name) = 65536")
        }
        _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT value FROM revisions") }
    }

    /// The value of a PRAGMA on the writing connection.
    package func pragma(_ name: String) async throws -> String? {
        try await pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }
}
