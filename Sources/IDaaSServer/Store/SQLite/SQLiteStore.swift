#if IDaaS
internal import Foundation
internal import GRDB

/// The store in one SQLite file.
///
/// Write-ahead log, so that reading does not wait for writing; synchronous=FULL, so that what was answered survives the loss of power,
/// and not only of the process.
public final class SQLiteStore: Store {
    private let pool: DatabasePool
    private let observer: (@Sendable (String) -> Void)?

    /// Opens the file at `path`, or makes it, for its owner alone to read, and brings its schema up to date.
    ///
    /// - Throws: what SQLite says.
    public convenience init(path: String) throws { try self.init(path: path, observer: nil) }

    /// - Parameter observer: is told the SQL of each statement that a transaction runs.
    package init(path: String, observer: (@Sendable (String) -> Void)?) throws {
        try Self.makeFile(at: path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 8
        pool = try DatabasePool(path: path, configuration: configuration)
        self.observer = observer
        // GRDB sets NORMAL once it has turned the log on: this has to come after it.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try SQLiteSchema.migrator.migrate(pool)
    }

    public func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await pool.read { [observer] in try body(SQLiteTransaction(database: $0, observer: observer)) }
    }

    public func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try await pool.write { [observer] in try body(SQLiteTransaction(database: $0, observer: observer)) }
    }

    public func backUp(to path: String) async throws {
        try Self.makeFile(at: path)
        try pool.backup(to: DatabaseQueue(path: path))
    }

    public func check() async throws {
        try await pool.write { try $0.execute(sql: "UPDATE revisions SET value = value WHERE name = 'signing_keys'") }
        _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT value FROM revisions") }
    }

    /// What a PRAGMA of the writing connection says.
    package func pragma(_ name: String) async throws -> String? {
        try await pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }

    /// SQLite makes files for everybody; the log and its index take the mode of the file.
    ///
    /// A file that is there is not opened: closing it again would lift the locks that SQLite holds on it in this process.
    private static func makeFile(at path: String) throws {
        let file = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
        guard unsafe chmod(path, 0o600) == 0 else { throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: path]) }
    }
}
#endif
