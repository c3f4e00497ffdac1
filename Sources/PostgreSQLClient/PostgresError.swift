/// A statement that PostgreSQL refused, or the end of a connection.
package struct PostgresError: Error {
    /// SQLSTATE (PostgreSQL's appendix A); empty where the connection ended.
    package let state: String
    /// The server's first line, without the values of a record.
    package let message: String

    /// Whether another transaction was in the way, so that this one can be tried again as a whole.
    package var isConflict: Bool { state == "40001" || state == "40P01" }

    /// Whether the server, or the way to it, is gone, or the server takes no more connections (53300): another connection may do what this
    /// one could not.
    package var isLoss: Bool { state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") || state == "53300" }
}

/// A URL that libpq cannot read.
package struct PostgresURLFault: Error {}
