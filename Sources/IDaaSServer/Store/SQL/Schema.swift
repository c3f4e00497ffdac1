/// The tables of every engine, as the list of migrations that make them. A released migration never changes: a new one follows it.
///
/// Instants are milliseconds since 1970, digests and sealed keys blobs. The list is written in SQLite's words; ``PostgresSchema`` has
/// PostgreSQL's for each.
enum Schema {
    struct Migration: Sendable {
        let name: String
        let sql: String
        /// What only a file of SQLite needs.
        var file = ""
        /// The earliest migration whose version of this program may use the tables that this one leaves, while servers that share a
        /// database are replaced. One that renames or removes names itself.
        let usableSince: String

        init(name: String, sql: String, file: String = "", usableSince: String? = nil) {
            self.name = name
            self.sql = sql
            self.file = file
            self.usableSince = usableSince ?? name
        }
    }

    static let migrations = [
        Migration(name: "1 clients, users, sessions", sql: identities),
        Migration(name: "2 single-use things, events, failures", sql: proofs),
        Migration(name: "3 signing keys", sql: keys),
        Migration(name: "4 signing policy", sql: policy),
        Migration(
            name: "5 failures by device", sql: failuresByDevice, file: "PRAGMA application_id = \(DatabaseFile.applicationID)"),
        Migration(name: "6 social accounts, bound keys, approvals, passwords", sql: otherLogins),
        Migration(
            name: "7 names of users and the order of keys, in every engine", sql: everyEngine, file: "UPDATE signing_keys SET made = rowid"),
        // An earlier version would end sessions and leave their statuses valid.
        Migration(name: "8 status lists", sql: statusLists),
        // An earlier version would end sessions and tell no receiver.
        Migration(name: "9 shared signals", sql: sharedSignals),
        // An earlier version writes no event here, as one without the setting.
        Migration(name: "10 audit events", sql: auditEvents, usableSince: "9 shared signals"),
        // An earlier version would take a registered client for one of an administrator, and give it id_tokens.
        Migration(name: "11 grants for resources, registered clients", sql: resources),
    ]

    /// The last migration that this version knows.
    static let newest = migrations.last?.name ?? ""

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
            "user" TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
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
        CREATE INDEX sessions_by_user ON sessions ("user", authenticated);
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

    /// Deletes failures that were counted only by number: their devices are unknown.
    private static let failuresByDevice = """
        DROP TABLE failures;
        CREATE TABLE failures (
            mobile TEXT NOT NULL,
            device BLOB NOT NULL,
            count INTEGER NOT NULL,
            locks INTEGER NOT NULL,
            locked_until INTEGER,
            updated INTEGER NOT NULL,
            PRIMARY KEY (mobile, device)
        ) WITHOUT ROWID, STRICT;
        """

    private static let otherLogins = """
        ALTER TABLE users ADD COLUMN password_hash TEXT;
        CREATE INDEX users_by_user_name ON users (user_name) WHERE user_name IS NOT NULL;
        CREATE TABLE social_accounts (
            provider TEXT NOT NULL,
            scope TEXT NOT NULL,
            subject TEXT NOT NULL,
            "user" TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created INTEGER NOT NULL,
            PRIMARY KEY (provider, scope, subject)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX social_accounts_by_user ON social_accounts ("user", provider, scope);
        CREATE TABLE bound_keys (
            "user" TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            client TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
            key_id BLOB NOT NULL UNIQUE,
            document BLOB NOT NULL,
            version INTEGER NOT NULL,
            device BLOB NOT NULL,
            device_name TEXT NOT NULL,
            bound INTEGER NOT NULL,
            PRIMARY KEY ("user", client)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX bound_keys_by_client ON bound_keys (client);
        CREATE TABLE approvals (
            id BLOB PRIMARY KEY NOT NULL,
            "user" TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            authenticator TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
            client TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
            device BLOB NOT NULL,
            region TEXT NOT NULL,
            state BLOB NOT NULL,
            random TEXT NOT NULL,
            key_id BLOB NOT NULL,
            match_code TEXT,
            message TEXT,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            interval INTEGER NOT NULL,
            polled INTEGER,
            answered INTEGER,
            answer TEXT,
            verification TEXT,
            delivered INTEGER
        ) WITHOUT ROWID, STRICT;
        CREATE UNIQUE INDEX approvals_pending ON approvals ("user", authenticator) WHERE answered IS NULL;
        CREATE INDEX approvals_by_user ON approvals ("user", authenticator, created);
        CREATE INDEX approvals_by_authenticator ON approvals (authenticator);
        CREATE INDEX approvals_by_client ON approvals (client);
        CREATE INDEX approvals_by_expiry ON approvals (expires);
        """

    /// `user` is a word of SQL, and only SQLite numbers rows.
    private static let everyEngine =
        ["sessions", "social_accounts", "bound_keys", "approvals"].map { "ALTER TABLE \($0) RENAME COLUMN \"user\" TO user_id;\n" }.joined()
        + "ALTER TABLE signing_keys ADD COLUMN made INTEGER;\n"

    /// A taken place is a session's, by the index, or a revoked one. `since` is null for a place that is revoked, and an instant for one
    /// that is a decoy from then on.
    private static let statusLists = """
        CREATE TABLE status_lists (
            id TEXT PRIMARY KEY NOT NULL,
            size INTEGER NOT NULL,
            opened INTEGER NOT NULL,
            open_until INTEGER NOT NULL,
            expires INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX status_lists_by_opening ON status_lists (open_until);
        CREATE TABLE revoked_statuses (
            list TEXT NOT NULL,
            place INTEGER NOT NULL,
            since INTEGER,
            PRIMARY KEY (list, place)
        ) WITHOUT ROWID, STRICT;
        ALTER TABLE sessions ADD COLUMN status_list TEXT;
        ALTER TABLE sessions ADD COLUMN status_place INTEGER;
        CREATE UNIQUE INDEX sessions_by_status ON sessions (status_list, status_place) WHERE status_list IS NOT NULL;
        """

    /// A signal waits for its receiver from `due` on: that is when it was added, the next try, or the end of the lease of the server that is
    /// sending it. It names a user and a session that may be gone. Pauses are apart from streams: what ends sessions reads the streams, and
    /// would conflict with every failure of a delivery.
    private static let sharedSignals = """
        CREATE TABLE signal_streams (
            id TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            audience TEXT NOT NULL,
            url TEXT,
            sealed_secret BLOB,
            secret_digest BLOB,
            revocations INTEGER NOT NULL,
            bundles INTEGER NOT NULL,
            credentials INTEGER NOT NULL,
            created INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE signal_pauses (
            stream TEXT PRIMARY KEY NOT NULL REFERENCES signal_streams (id) ON DELETE CASCADE,
            failures INTEGER NOT NULL,
            ends INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE signals (
            id INTEGER PRIMARY KEY,
            stream TEXT NOT NULL REFERENCES signal_streams (id) ON DELETE CASCADE,
            event TEXT NOT NULL,
            user_id TEXT,
            session TEXT,
            initiator TEXT,
            credential TEXT,
            change TEXT,
            state TEXT,
            at INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            due INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX signals_by_due ON signals (stream, due, id);
        """

    /// The engine does not number these rows: of two numbers from a sequence the higher one may become visible first, and a reader would
    /// miss the lower one. The one row of `audit_numbers` has the newest number. A transaction that adds events changes it first, and so keeps
    /// others from it until its commit.
    private static let auditEvents = """
        CREATE TABLE audit_numbers (id INTEGER NOT NULL PRIMARY KEY, newest INTEGER NOT NULL) STRICT;
        INSERT INTO audit_numbers (id, newest) VALUES (1, 0);
        CREATE TABLE audit_events (
            number INTEGER NOT NULL PRIMARY KEY,
            server TEXT NOT NULL,
            at INTEGER NOT NULL,
            line TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_events_by_instant ON audit_events (at);
        """

    /// A grant's session holds its refresh tokens. A client that nobody has granted anything has no `used`. `fresh_until` is that of a client
    /// metadata document; null for a client that was registered by a request.
    private static let resources = """
        CREATE TABLE resource_grants (
            session TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            resource TEXT NOT NULL,
            scopes TEXT NOT NULL,
            renewable INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE registered_clients (
            client TEXT PRIMARY KEY NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
            created INTEGER NOT NULL,
            used INTEGER,
            fresh_until INTEGER
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX registered_clients_by_use ON registered_clients (used, created);
        """
}
