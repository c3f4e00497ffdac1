internal import PostgreSQLClient

/// The store in a PostgreSQL database, which several servers may share.
///
/// An answer follows the commit, which survives a power failure. A transaction whose connection ends while it commits is asked for by its
/// name on another connection, so that it is neither lost nor done twice.
package final class PostgresStore: Store {
    private let pool: PostgresPool
    private let observer: (@Sendable (String) -> Void)?
    package let signals = SignalBell()

    /// Whether a setting names such a database, and no file.
    package static func isURL(_ setting: String) -> Bool { setting.hasPrefix("postgresql://") || setting.hasPrefix("postgres://") }

    /// Connects with the first transaction, which migrates the schema.
    ///
    /// - Parameters:
    ///   - url: a connection URI (PostgreSQL's manual, section 34.1.1.2).
    ///   - connections: the most that are open at a time.
    ///   - time: of each transaction, with its wait for a connection.
    ///   - observer: gets the SQL of each statement in a transaction.
    /// - Throws: ``StoreFailure``: `unavailable` if the system gives no thread; `refused` if the URL cannot be read.
    package init(
        url: String, opening: StoreOpening = .makingIfMissing, connections: Int = 8, time: Duration = .seconds(10),
        observer: (@Sendable (String) -> Void)? = nil
    ) throws {
        let schema = PostgresSchema(opening: opening), servers = try Self.servers(of: url)
        pool = try PostgresPool(connections: connections, time: time) { PostgresWorker(servers, schema) }
        self.observer = observer
    }

    private static func servers(of url: String) throws -> [PostgresServer] {
        do throws(PostgresURLFault) {
            return try PostgresServer.all(of: url, application: "assay-idaas")
        } catch {
            throw StoreFailure(.refused, "its URL cannot be read")
        }
    }

    deinit { close() }

    package func close() { pool.close() }

    package func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await transaction(.reading, nil) { try body($0) }
    }

    package func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try await signals.afterwards { mark in try await transaction(.writing, mark) { try body($0) } }
    }

    private func transaction<Value: Sendable>(
        _ mode: PostgresSession.Mode, _ mark: SignalMark?, _ body: @Sendable @escaping (SQLTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.run { [observer] worker, deadline in
            try worker.transaction(mode, deadline) { try body(SQLTransaction(session: $0, observer: observer, mark: mark)) }
        }
    }

    /// Takes over every record of a file. All of them arrive, or none.
    ///
    /// - Returns: the number of rows.
    /// - Throws: ``StoreFailure``: `refused` if this database has records.
    package func takeOver(_ file: SQLiteStore) async throws -> Int {
        try await pool.run(within: Self.longest) { worker, deadline in
            try worker.transaction(.writing, deadline) { try file.copy(to: $0) }
        }
    }

    /// For all records of a file, or for a migration of them.
    private static let longest = Duration.seconds(3_600)

    package func prepare() async throws {
        try await pool.run(within: Self.longest) { worker, deadline in
            try worker.transaction(.reading, deadline) { _ = try $0.rows("SELECT value FROM revisions", []) }
        }
    }

    package func backUp(to path: String) async throws {
        throw StoreFailure(.refused, "pg_dump copies a database of PostgreSQL")
    }

    package func check() async throws {
        try await pool.run { worker, deadline in
            // It writes the name of the transaction, which no other one reads.
            try worker.transaction(.writing, deadline) { _ = try $0.rows("SELECT value FROM revisions", []) }
        }
    }
}
