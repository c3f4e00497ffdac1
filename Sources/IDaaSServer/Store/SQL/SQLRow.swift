internal import JWTCore

/// A row of a result. Its columns are read by name, each as the type that a record has: what another program wrote there is an error and
/// ends one request, not the server.
struct SQLRow: Sendable {
    let columns: Columns
    let values: [SQLValue]

    /// The columns of a result, which its rows share.
    final class Columns: Sendable {
        let names: [String]
        private let positions: [String: Int]

        init(_ names: [String]) {
            self.names = names
            positions = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        }

        func position(_ name: String) -> Int? { positions[name] }
    }

    /// - Throws: ``StoreFailure`` for a column that is absent, null, or of another type.
    func callAsFunction<Value: SQLConvertible>(_ column: String) throws -> Value {
        guard let value = Value(sqlValue: value(column)) else { throw StoreFailure(.malformedRecord, column) }
        return value
    }

    /// Nil for a null.
    func callAsFunction<Value: SQLConvertible>(_ column: String) throws -> Value? {
        if case .null = value(column) { return nil }
        return try self(column) as Value
    }

    /// A record in a column of JSON.
    func record<Record: Decodable>(_ column: String) throws -> Record {
        do {
            return try ParsedJSON(Array((self(column) as String).utf8)).decode()
        } catch {
            throw StoreFailure(.malformedRecord, column)
        }
    }

    private func value(_ column: String) -> SQLValue { columns.position(column).map { values[$0] } ?? .null }
}
