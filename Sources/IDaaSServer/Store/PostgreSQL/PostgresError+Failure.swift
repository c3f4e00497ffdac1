internal import PostgreSQLClient

extension PostgresError {
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
