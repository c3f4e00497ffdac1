package import GRDB

/// The migrations of a file.
package enum SQLiteSchema {
    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in Schema.migrations {
            migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql + migration.file) }
        }
        return migrator
    }

    /// Brings a database up to date.
    ///
    /// - Throws: ``DatabaseFailure`` for the schema of a later version: its tables have an unknown meaning.
    static func migrate(_ pool: DatabasePool, _ path: String) throws {
        let later = try pool.read { try migrator.appliedIdentifiers($0) }.subtracting(migrator.migrations)
        if let schema = later.max() { throw DatabaseFailure(.newer, path, schema) }
        try migrator.migrate(pool)
    }
}
