internal import IDaaSWire

/// The value of a column or a placeholder. Instants are milliseconds since 1970, and truth is 0 or 1.
enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// What a column can have.
protocol SQLConvertible {
    var sqlValue: SQLValue { get }
    /// Nil for a value of another type.
    init?(sqlValue: SQLValue)
}

extension String: SQLConvertible {
    var sqlValue: SQLValue { .text(self) }

    init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

extension Int64: SQLConvertible {
    var sqlValue: SQLValue { .integer(self) }

    init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number
    }
}

extension Int: SQLConvertible {
    var sqlValue: SQLValue { .integer(Int64(self)) }

    init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLConvertible {
    var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number != 0
    }
}

extension [UInt8]: SQLConvertible {
    var sqlValue: SQLValue { .blob(self) }

    init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self = bytes
    }
}

extension Timestamp: SQLConvertible {
    var sqlValue: SQLValue { .integer(milliseconds) }

    init?(sqlValue: SQLValue) {
        guard case .integer(let milliseconds) = sqlValue else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
