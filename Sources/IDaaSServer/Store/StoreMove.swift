/// Moves an installation from a file to a database that servers share. The file stays as it is.
package enum StoreMove {
    /// Copies every record of the file at `path` into the database at `url`. No server may serve from the file meanwhile. Both need the same
    /// server key.
    ///
    /// - Returns: the number of records.
    /// - Throws: ``DatabaseFailure`` if the file is not a database of this server, or a server serves from it; ``StoreFailure``: `refused` if
    ///   the database at `url` has records; errors of either engine.
    package static func run(from path: String, to url: String) async throws -> Int {
        let lock = try ServerLock(database: path, holder: "assay idaas migrate")
        defer { lock.release() }
        let file = try SQLiteStore(path: path, opening: .existing)
        return try await PostgresStore(url: url, connections: 1).takeOver(file)
    }
}
