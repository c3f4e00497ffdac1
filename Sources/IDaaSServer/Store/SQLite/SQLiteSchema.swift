#if IDaaS
internal import GRDB

/// The tables, and how an older file gets them. A migration that was released is never changed again: another follows it.
///
/// Instants are milliseconds since 1970, digests and sealed keys blobs.
enum SQLiteSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 clients, users, sessions") { try $0.execute(sql: identities) }
        migrator.registerMigration("2 single-use things, events, failures") { try $0.execute(sql: proofs) }
        migrator.registerMigration("3 signing keys") { try $0.execute(sql: keys) }
        migrator.registerMigration("4 signing policy") { try $0.execute(sql: policy) }
        return migrator
    }

    private static let identities = """
        CREATE TABLE clients (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            settings TEXT NOT NULL,
            public_key TEXT,
            sealed_private_key BLOB,
            created INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE users (
            id TEXT PRIMARY KEY NOT NULL,
            mobile TEXT NOT NULL UNIQUE,
            name TEXT,
            user_name TEXT,
            email TEXT,
            test_code TEXT,
            locked INTEGER NOT NULL,
            created INTEGER NOT NULL,
            last_login INTEGER
        ) STRICT;
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY NOT NULL,
            user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            client TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
            device BLOB NOT NULL,
            device_name TEXT NOT NULL,
            methods TEXT NOT NULL,
            authenticated INTEGER NOT NULL,
            used INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            sealed_family_key BLOB NOT NULL,
            ended INTEGER
        ) STRICT;
        CREATE INDEX sessions_by_user ON sessions (user, authenticated);
        CREATE INDEX sessions_by_client ON sessions (client);
        CREATE INDEX sessions_by_use ON sessions (used);
        CREATE INDEX sessions_by_end ON sessions (ended) WHERE ended IS NOT NULL;
        CREATE TABLE session_tokens (
            digest BLOB PRIMARY KEY NOT NULL,
            session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            generation INTEGER NOT NULL,
            rotated INTEGER
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX session_tokens_by_session ON session_tokens (session, generation);
        """

    private static let proofs = """
        CREATE TABLE single_use (
            purpose TEXT NOT NULL,
            key BLOB NOT NULL,
            client TEXT NOT NULL,
            device BLOB NOT NULL,
            subject TEXT NOT NULL,
            content BLOB NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            consumed INTEGER,
            outcome TEXT,
            PRIMARY KEY (purpose, key)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX single_use_by_expiry ON single_use (expires);
        CREATE INDEX single_use_by_subject ON single_use (subject, created) WHERE subject <> '';
        CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            scope TEXT NOT NULL,
            key TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX events_by_key ON events (scope, key, at);
        CREATE INDEX events_by_instant ON events (at);
        CREATE TABLE failures (
            mobile TEXT PRIMARY KEY NOT NULL,
            count INTEGER NOT NULL,
            locks INTEGER NOT NULL,
            locked_until INTEGER,
            updated INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        """

    private static let keys = """
        CREATE TABLE signing_keys (
            id TEXT PRIMARY KEY NOT NULL,
            algorithm TEXT NOT NULL,
            public_jwk TEXT NOT NULL,
            sealed_private_key BLOB NOT NULL,
            published INTEGER NOT NULL,
            activated INTEGER,
            retired INTEGER,
            removed INTEGER
        ) STRICT;
        CREATE TABLE revisions (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) WITHOUT ROWID, STRICT;
        INSERT INTO revisions (name, value) VALUES ('signing_keys', 0);
        """

    private static let policy = """
        ALTER TABLE signing_keys ADD COLUMN published_until INTEGER;
        CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
        """
}
#endif
