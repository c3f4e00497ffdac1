internal import PostgreSQLClient

/// A transaction under way. What needs no answer waits in the queue, and goes with the next statement that does, or with the commit.
final class PostgresSession: SQLSession {
    private let connection: PostgresConnection
    private let deadline: PostgresDeadline
    /// The name of a writing transaction, by which another connection can say whether it was committed.
    let name: [UInt8]?

    enum Mode {
        /// Sees one instant.
        case reading
        /// Serialisable: of two that would change what the other has read, one fails and is tried again (PostgreSQL's manual, section 13.2.3).
        case writing
        /// Changes the tables themselves.
        case migrating
    }

    /// Begins a transaction, with its first statement.
    init(_ connection: PostgresConnection, _ deadline: PostgresDeadline, _ mode: Mode) {
        self.connection = connection
        self.deadline = deadline
        switch mode {
        case .reading: connection.queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", [])
        case .writing: connection.queue("BEGIN ISOLATION LEVEL SERIALIZABLE", [])
        case .migrating:
            connection.queue("BEGIN", [])
            // A migration takes as long as the tables are large, and others wait for it. The deadline ends it.
            connection.queue("SET LOCAL lock_timeout = 0", [])
            connection.queue("SET LOCAL statement_timeout = 0", [])
            connection.queue("SET LOCAL idle_in_transaction_session_timeout = 0", [])
        }
        name = mode == .writing ? Self.freshName : nil
        if let name { connection.queue(PostgresSchema.commit, [.blob(name)]) }
    }

    /// 16 random bytes, for one transaction.
    static var freshName: [UInt8] { (0..<16).map { _ in .random(in: 0 ... .max) } }

    func forEachRow(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Void) throws {
        for row in try connection.rows(sql, values, deadline) { try body(row) }
    }

    func run(_ sql: String, _ values: [SQLValue]) throws { connection.queue(sql, values) }

    func count(_ sql: String, _ values: [SQLValue]) throws -> Int {
        connection.queue(sql, values)
        return try connection.flush(deadline).count
    }

    /// Ends the transaction, with what waits in the queue.
    func commit() throws {
        connection.queue("COMMIT", [])
        try connection.flush(deadline)
    }

    /// Undoes the transaction.
    ///
    /// - Throws: where the connection cannot be used any more.
    func rollBack() throws {
        connection.forgetQueue()
        guard connection.isInTransaction else { return }
        connection.queue("ROLLBACK", [])
        try connection.flush(deadline)
    }
}
