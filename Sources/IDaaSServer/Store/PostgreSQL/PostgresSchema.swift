internal import Locks
internal import PostgreSQLClient

/// The tables of ``Schema`` in PostgreSQL's words, and their migrations.
final class PostgresSchema: Sendable {
    private let opening: StoreOpening
    /// Whether this process has seen the tables as they have to be.
    private let isReady = Locked(false)

    init(opening: StoreOpening) { self.opening = opening }

    /// Of the advisory lock that servers migrate under, one after the other: "assa", and the schema.
    private static let lock = "SELECT pg_advisory_xact_lock(\(0x6173_7361), hashtext(current_schema()))"

    /// Gives a writing transaction its name. Old names are removed by ``forgetting``.
    static let commit = "INSERT INTO assay_commits (name) VALUES (?)"

    /// Removes the names that no transaction asks for any more.
    static let forgetting = "DELETE FROM assay_commits WHERE at < now() - interval '1 hour'"

    /// Brings the database up to date with the first connection, in one transaction, and looks with each later one whether the tables are
    /// still those that this version knows. Servers that start together migrate one after the other.
    ///
    /// - Throws: ``DatabaseFailure`` for a database without tables that this process must not make, and for the schema of a later version
    ///   that does not say that this one may use it: its tables have an unknown meaning. ``PostgresError``.
    func prepare(_ connection: PostgresConnection, _ deadline: PostgresDeadline) throws {
        let isKnown = isReady.withLock { $0 }
        let session = PostgresSession(connection, deadline.ofLongStatements, isKnown ? .reading : .migrating)
        do {
            if isKnown { _ = try applied(session) } else { try migrate(session) }
        } catch {
            try session.rollBack()
            throw error
        }
        try session.commit()
        isReady.withLock { $0 = true }
    }

    private func migrate(_ session: PostgresSession) throws {
        _ = try session.rows(Self.lock, [])
        if opening == .existing {
            let known = try session.rows("SELECT 1 AS known WHERE to_regclass('assay_migrations') IS NOT NULL", [])
            guard !known.isEmpty else { throw DatabaseFailure(.missing, "the URL") }
        }
        try session.run(
            "CREATE TABLE IF NOT EXISTS assay_migrations (name TEXT PRIMARY KEY, usable_since TEXT NOT NULL)", [])
        try session.run(
            "CREATE TABLE IF NOT EXISTS assay_commits (name BYTEA PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now())", [])
        let applied = try applied(session)
        for migration in Schema.migrations where !applied.contains(migration.name) {
            for statement in Self.statements(of: migration.sql) { try session.run(statement, []) }
            try session.run(
                "INSERT INTO assay_migrations (name, usable_since) VALUES (?, ?)", [.text(migration.name), .text(migration.usableSince)])
        }
    }

    /// The migrations of the database. A later version's may be among them, if it says that the version of a migration known here may use
    /// what it left: so servers are replaced one by one.
    private func applied(_ session: PostgresSession) throws -> Set<String> {
        let known = Set(Schema.migrations.map(\.name))
        var applied: Set<String> = []
        for row in try session.rows("SELECT name, usable_since FROM assay_migrations", []) {
            let (name, usableSince): (String, String) = (try row("name"), try row("usable_since"))
            guard known.contains(name) || known.contains(usableSince) else { throw DatabaseFailure(.newer, "the URL", name) }
            applied.insert(name)
        }
        return applied
    }

    /// The statements of a migration, one by one. Their order of words is SQLite's; only types and options differ.
    static func statements(of sql: String) -> [String] {
        let words = [
            (" WITHOUT ROWID, STRICT", ""), (" STRICT", ""), ("INTEGER PRIMARY KEY", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
            (" INTEGER", " BIGINT"), (" BLOB", " BYTEA"), (" TEXT", " TEXT COLLATE \"C\""),
        ]
        let translated = words.reduce(sql) { $0.replacing($1.0, with: $1.1) }
        return translated.split(separator: ";" as Character).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
