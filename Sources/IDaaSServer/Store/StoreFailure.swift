/// Why a store did not do what it was asked for. Nothing of the transaction stays, except as ``Code/outcomeUnknown`` says.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Code
    /// The column, or the engine's own words. It has no value of a record.
    package let detail: String

    /// Stable: logs use it.
    package enum Code: String, Hashable, Sendable {
        /// A column has a value that no record can have: another program wrote it.
        case malformedRecord = "store_malformed_record"
        /// The engine cannot be reached, or is starting or stopping.
        case unavailable = "store_unavailable"
        /// No connection became free, or a lock or a statement took too long.
        case busy = "store_busy"
        /// Other transactions changed the same records each time that this one was tried.
        case conflict = "store_conflict"
        /// The connection ended while the engine committed. Whether it did is unknown.
        case outcomeUnknown = "store_outcome_unknown"
        /// The engine refuses the statement.
        case refused = "store_refused"
    }

    package init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    /// Whether the same request may succeed a moment later.
    package var isPassing: Bool {
        switch code {
        case .unavailable, .busy, .conflict, .outcomeUnknown: true
        case .malformedRecord, .refused: false
        }
    }

    package var description: String { "\(sentence) (\(code.rawValue))\(detail.isEmpty ? "" : ": \(detail)")" }

    private var sentence: String {
        switch code {
        case .malformedRecord: "the database has a record that this server did not write"
        case .unavailable: "the database cannot be reached"
        case .busy: "the database has too much to do"
        case .conflict: "other transactions changed the same records each time"
        case .outcomeUnknown: "the database did not say whether it did the transaction"
        case .refused: "the database refuses the operation"
        }
    }
}
