internal import Foundation
internal import GRDB

/// A transaction of a ``SQLiteStore``. Each statement runs at once.
struct SQLiteSession: SQLSession {
    let database: Database

    func forEachRow(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Void) throws {
        let cursor = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: Self.arguments(values))
        var columns: SQLRow.Columns?
        while let row = try cursor.next() {
            let names = columns ?? SQLRow.Columns(Array(row.columnNames))
            columns = names
            try body(SQLRow(columns: names, values: row.databaseValues.map(SQLValue.init)))
        }
    }

    func run(_ sql: String, _ values: [SQLValue]) throws {
        try database.cachedStatement(sql: sql).execute(arguments: Self.arguments(values))
    }

    func count(_ sql: String, _ values: [SQLValue]) throws -> Int {
        try run(sql, values)
        return database.changesCount
    }

    private static func arguments(_ values: [SQLValue]) -> StatementArguments { StatementArguments(values.map(\.databaseValue)) }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }

    /// No column of the schema has a fraction.
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null, .double: self = .null
        case .int64(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob(Array(data))
        }
    }
}
