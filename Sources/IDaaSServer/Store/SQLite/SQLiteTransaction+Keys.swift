internal import GRDB

extension SQLiteTransaction {
    func signingKeys() throws -> [StoredSigningKey] {
        try rows("SELECT * FROM signing_keys ORDER BY published, rowid", []).map(StoredSigningKey.init(row:))
    }

    func signingKeyRevision() throws -> Int {
        try row("SELECT value FROM revisions WHERE name = 'signing_keys'", [])?["value"] ?? 0
    }

    func save(_ key: StoredSigningKey) throws {
        try run(
            """
            INSERT INTO signing_keys
                (id, algorithm, public_jwk, sealed_private_key, published, activated, retired, published_until, removed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET sealed_private_key = excluded.sealed_private_key, activated = excluded.activated,
                retired = excluded.retired, published_until = excluded.published_until, removed = excluded.removed
            """,
            [
                key.id, key.algorithm, key.publicJWK, key.sealedPrivateKey.blob, key.published.milliseconds, key.activated?.milliseconds,
                key.retired?.milliseconds, key.publishedUntil?.milliseconds, key.removed?.milliseconds,
            ])
        try run("UPDATE revisions SET value = value + 1 WHERE name = 'signing_keys'", [])
    }
}

extension SQLiteTransaction {
    func signingPolicy() throws -> SigningPolicy? {
        try row("SELECT value FROM settings WHERE name = 'signing'", []).map { try $0.record("value") }
    }

    func save(_ policy: SigningPolicy) throws {
        try run(
            "INSERT OR REPLACE INTO settings (name, value) VALUES ('signing', ?)",
            [JSON(encoding: policy).text])
    }
}

extension StoredSigningKey {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"], algorithm: row["algorithm"], publicJWK: row["public_jwk"], sealedPrivateKey: row.bytes("sealed_private_key"),
            published: row.instant("published"), activated: row.instantIfAny("activated"), retired: row.instantIfAny("retired"),
            publishedUntil: row.instantIfAny("published_until"), removed: row.instantIfAny("removed"))
    }
}
