#if IDaaS
internal import Foundation
internal import GRDB

/// A transaction of a ``SQLiteStore``. One file for each kind of record extends it.
struct SQLiteTransaction: StoreWriting {
    let database: Database
    let observer: (@Sendable (String) -> Void)?

    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        observer?(sql)
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        observer?(sql)
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }

    /// Runs a statement that changes data.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        observer?(sql)
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
        return database.changesCount
    }
}

extension Row {
    func instant(_ column: String) -> Timestamp { Timestamp(milliseconds: self[column]) }

    func instantIfAny(_ column: String) -> Timestamp? { (self[column] as Int64?).map(Timestamp.init(milliseconds:)) }

    func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data) }
}

extension [UInt8] {
    /// As SQLite stores it.
    var blob: Data { Data(self) }
}
#endif
