internal import IDaaSWire

/// A transaction: its statements are SQL that every engine takes, with `?` for each value. One file for each kind of record extends it.
struct SQLTransaction: StoreWriting {
    let session: any SQLSession
    let observer: (@Sendable (String) -> Void)?
    /// Set by a transaction that adds signals; nil where none can.
    var mark: SignalMark?

    /// The value of a placeholder.
    typealias Argument = (any SQLConvertible)?

    func row(_ sql: String, _ arguments: [Argument]) throws -> SQLRow? { try rows(sql, arguments).first }

    func rows(_ sql: String, _ arguments: [Argument]) throws -> [SQLRow] { try session.rows(noted(sql), Self.values(arguments)) }

    /// Lends each row to `body`, which may keep it.
    func forEachRow(_ sql: String, _ arguments: [Argument], _ body: (SQLRow) throws -> Void) throws {
        try session.forEachRow(noted(sql), Self.values(arguments), body)
    }

    /// Runs a statement that changes data. An engine may send it later, and then a later call reports its failure.
    func run(_ sql: String, _ arguments: [Argument]) throws { try session.run(noted(sql), Self.values(arguments)) }

    /// Runs a statement that changes data.
    ///
    /// - Returns: the number of changed rows.
    func count(_ sql: String, _ arguments: [Argument]) throws -> Int { try session.count(noted(sql), Self.values(arguments)) }

    private func noted(_ sql: String) -> String {
        observer?(sql)
        return sql
    }

    /// - Throws: COMMON.1002 for a text with U+0000. SQLite binds a text up to its first U+0000, so the store would find another text than the
    ///   one that limits were counted for; PostgreSQL has no such texts. Edges refuse them; this is for texts that come another way.
    private static func values(_ arguments: [Argument]) throws -> [SQLValue] {
        let values = arguments.map { $0?.sqlValue ?? .null }
        for case .text(let text) in values where text.utf8.contains(0) { throw ServiceError(.invalidFormat, "text") }
        return values
    }
}

extension SQLSession {
    func rows(_ sql: String, _ values: [SQLValue]) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try forEachRow(sql, values) { rows.append($0) }
        return rows
    }
}

/// An engine's transaction under way.
protocol SQLSession {
    /// Lends each row of the result to `body`, which may keep it.
    func forEachRow(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Void) throws
    /// May be sent with a later statement.
    func run(_ sql: String, _ values: [SQLValue]) throws
    /// - Returns: the number of changed rows.
    func count(_ sql: String, _ values: [SQLValue]) throws -> Int
}
