internal import PostgreSQLClient

extension SQLValue {
    /// In PostgreSQL's binary format; nil for null.
    var postgresBytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        }
    }

    /// - Throws: ``StoreFailure`` for a column of a type that the schema does not have.
    init(_ cell: PostgresCell, column: String) throws {
        guard let bytes = cell.bytes else {
            self = .null
            return
        }
        // The types' numbers in pg_type: bytea, int8, int4, text, and the word of a void function.
        switch cell.type {
        case 17: self = .blob(bytes)
        case 20 where bytes.count == 8, 23 where bytes.count == 4:
            self = .integer(bytes.reduce(bytes[0] >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) })
        case 25: self = .text(String(decoding: bytes, as: UTF8.self))
        case 2278: self = .null
        default: throw StoreFailure(.malformedRecord, column)
        }
    }
}

extension PostgresConnection {
    /// Adds a statement to the queue.
    func queue(_ sql: String, _ values: [SQLValue]) { queue(sql, parameters: values.map(\.postgresBytes)) }

    /// The rows of one statement, after everything in the queue.
    func rows(_ sql: String, _ values: [SQLValue], _ deadline: PostgresDeadline) throws -> [SQLRow] {
        queue(sql, values)
        let result = try flush(deadline), columns = SQLRow.Columns(result.columns)
        return try result.rows.map { row in
            SQLRow(columns: columns, values: try zip(row, result.columns).map { try SQLValue($0, column: $1) })
        }
    }
}
