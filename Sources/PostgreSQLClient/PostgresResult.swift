internal import CPostgreSQL

/// The result of a statement, copied from libpq's memory.
package struct PostgresResult: Sendable {
    package var columns: [String] = []
    package var rows: [[PostgresCell]] = []
    /// The number of changed rows.
    package var count = 0

    init() {}

    @unsafe
    init(_ result: OpaquePointer) {
        count = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
        let width = unsafe PQnfields(result)
        columns = (0..<width).map { unsafe String(cString: PQfname(result, $0)) }
        for row in 0..<(unsafe PQntuples(result)) { rows.append((0..<width).map { unsafe PostgresCell(result, row, $0) }) }
    }
}

/// One value of a result.
package struct PostgresCell: Sendable {
    /// The number of its type in pg_type: 17 is bytea, 20 int8, 23 int4, 25 text.
    package let type: UInt32
    /// In PostgreSQL's binary format; nil for null.
    package let bytes: [UInt8]?

    @unsafe
    fileprivate init(_ result: OpaquePointer, _ row: Int32, _ column: Int32) {
        type = unsafe PQftype(result, column)
        guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
            bytes = nil
            return
        }
        bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column))))
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
