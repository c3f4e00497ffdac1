/// The behaviour for a store that does not exist yet.
package enum StoreOpening: Hashable, Sendable {
    /// Refuse: administration commands create no store.
    case existing
    /// Create it: a file that only its owner can read, or the tables in a database.
    case makingIfMissing
}

extension ServerConfiguration {
    /// Whether the store is a database that servers share, and no file.
    package var hasSharedDatabase: Bool { PostgresStore.isURL(database) }

    /// The store that the setting `database` names.
    ///
    /// - Throws: ``DatabaseFailure``; errors of SQLite; ``StoreFailure``.
    func store(_ opening: StoreOpening) throws -> any Store {
        hasSharedDatabase ? try PostgresStore(url: database, opening: opening) : try SQLiteStore(path: database, opening: opening)
    }
}
