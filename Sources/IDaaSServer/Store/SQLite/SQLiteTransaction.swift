internal import Foundation
internal import GRDB
internal import IDaaSWire
internal import JWTCore

/// A transaction of a ``SQLiteStore``. One file for each kind of record extends it.
struct SQLiteTransaction: StoreWriting {
    let database: Database
    let observer: (@Sendable (String) -> Void)?

    /// The value of a placeholder.
    typealias Argument = (any DatabaseValueConvertible)?

    func row(_ sql: String, _ arguments: [Argument]) throws -> Row? {
        observer?(sql)
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: Self.checked(arguments))
    }

    func rows(_ sql: String, _ arguments: [Argument]) throws -> [Row] {
        observer?(sql)
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: Self.checked(arguments))
    }

    /// Runs a statement that changes data.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    func run(_ sql: String, _ arguments: [Argument]) throws -> Int {
        observer?(sql)
        try database.cachedStatement(sql: sql).execute(arguments: Self.checked(arguments))
        return database.changesCount
    }

    /// - Throws: COMMON.1002 for a text with U+0000. GRDB binds a text up to its first U+0000, so the store would find another text than the
    ///   one that limits were counted for; PostgreSQL has no such texts. Edges refuse them; this is for texts that come another way.
    private static func checked(_ arguments: [Argument]) throws -> StatementArguments {
        let values = arguments.map { $0?.databaseValue ?? .null }
        for case .string(let text) in values.map(\.storage) where text.utf8.contains(0) { throw ServiceError(.invalidFormat, "text") }
        return StatementArguments(values)
    }
}

extension Row {
    func instant(_ column: String) -> Timestamp { Timestamp(milliseconds: self[column]) }

    func instantIfAny(_ column: String) -> Timestamp? { (self[column] as Int64?).map(Timestamp.init(milliseconds:)) }

    func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data) }

    /// A record in a column of JSON.
    func record<Record: Decodable>(_ column: String) throws -> Record { try ParsedJSON(Array((self[column] as String).utf8)).decode() }
}

extension [UInt8] {
    /// As SQLite stores it.
    var blob: Data { Data(self) }
}
