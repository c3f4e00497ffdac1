/// A statement that PostgreSQL refused, or the end of a connection.
struct PostgresError: Error {
    /// SQLSTATE (PostgreSQL's appendix A); empty where the connection ended.
    let state: String
    /// The server's first line, without the values of a record.
    let message: String

    /// Whether another transaction was in the way, so that this one can be tried again as a whole.
    var isConflict: Bool { state == "40001" || state == "40P01" }

    /// Whether the server, or the way to it, is gone, or the server takes no more connections (53300): another connection may do what this
    /// one could not.
    var isLoss: Bool { state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") || state == "53300" }

    /// What the caller of a store learns.
    var failure: StoreFailure {
        switch state {
        case _ where isLoss: StoreFailure(.unavailable, message)
        case _ where isConflict: StoreFailure(.conflict, message)
        // lock_not_available, query_canceled (by statement_timeout), idle_in_transaction_session_timeout
        case "55P03", "57014", "25P03": StoreFailure(.busy, message)
        // disk_full, out_of_memory
        case "53100", "53200": StoreFailure(.unavailable, message)
        default: StoreFailure(.refused, "\(state) \(message)")
        }
    }
}
