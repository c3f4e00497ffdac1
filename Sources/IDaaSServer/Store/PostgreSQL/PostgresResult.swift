internal import CPostgreSQL
internal import Foundation

/// The result of a statement, copied from libpq's memory.
struct PostgresResult {
    var rows: [SQLRow] = []
    /// The number of changed rows.
    var count = 0

    init() {}

    @unsafe
    init(_ result: OpaquePointer) throws {
        count = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
        let width = unsafe PQnfields(result)
        let names = (0..<width).map { unsafe String(cString: PQfname(result, $0)) }, columns = SQLRow.Columns(names)
        for row in 0..<(unsafe PQntuples(result)) {
            rows.append(SQLRow(columns: columns, values: try (0..<width).map { unsafe try SQLValue(result, row, $0) }))
        }
    }
}

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
    @unsafe
    fileprivate init(_ result: OpaquePointer, _ row: Int32, _ column: Int32) throws {
        guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
            self = .null
            return
        }
        let count = unsafe Int(PQgetlength(result, row, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        // The types' numbers in pg_type: bytea, int8, int4, text, and the word of a void function.
        switch unsafe PQftype(result, column) {
        case 17: self = .blob(unsafe Array(bytes))
        case 20 where count == 8, 23 where count == 4:
            let negative = unsafe bytes.first.map { $0 >= 0x80 } ?? false
            self = .integer(unsafe bytes.reduce(negative ? -1 : 0) { $0 << 8 | Int64($1) })
        case 25: self = .text(unsafe String(decoding: bytes, as: UTF8.self))
        case 2278: self = .null
        default: throw unsafe StoreFailure(.malformedRecord, String(cString: PQfname(result, column)))
        }
    }
}

extension PostgresError {
    @unsafe
    init(_ result: OpaquePointer) {
        let state = unsafe PQresultErrorField(result, CChar(bitPattern: UInt8(ascii: "C")).asciiNumber)
        let message = unsafe PQresultErrorField(result, CChar(bitPattern: UInt8(ascii: "M")).asciiNumber)
        self.init(state: unsafe state.map { unsafe String(cString: $0) } ?? "", message: unsafe Self.line(message))
    }

    /// The first line of libpq's words.
    @unsafe
    static func line(_ text: UnsafePointer<CChar>?) -> String {
        let words = unsafe text.map { unsafe String(cString: $0) } ?? ""
        return words.split(separator: "\n" as Character).first.map(String.init) ?? "the connection ended"
    }
}

extension CChar {
    /// `PG_DIAG_SQLSTATE` and its like are characters, which libpq takes as numbers.
    fileprivate var asciiNumber: Int32 { Int32(self) }
}
