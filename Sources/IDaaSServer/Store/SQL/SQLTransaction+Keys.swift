extension SQLTransaction {
    func signingKeys() throws -> [StoredSigningKey] {
        try rows("SELECT * FROM signing_keys ORDER BY published, made", []).map(StoredSigningKey.init(row:))
    }

    func signingKeyRevision() throws -> Int {
        try row("SELECT value FROM revisions WHERE name = 'signing_keys'", []).map { try $0("value") } ?? 0
    }

    func save(_ key: StoredSigningKey) throws {
        try run(
            """
            INSERT INTO signing_keys
                (id, algorithm, public_jwk, sealed_private_key, published, activated, retired, published_until, removed, made)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(made), 0) + 1 FROM signing_keys))
            ON CONFLICT (id) DO UPDATE SET sealed_private_key = excluded.sealed_private_key, activated = excluded.activated,
                retired = excluded.retired, published_until = excluded.published_until, removed = excluded.removed
            """,
            [
                key.id, key.algorithm, key.publicJWK, key.sealedPrivateKey, key.published.milliseconds, key.activated?.milliseconds,
                key.retired?.milliseconds, key.publishedUntil?.milliseconds, key.removed?.milliseconds,
            ])
        try run("UPDATE revisions SET value = value + 1 WHERE name = 'signing_keys'", [])
    }
}

extension SQLTransaction {
    func signingPolicy() throws -> SigningPolicy? {
        try row("SELECT value FROM settings WHERE name = 'signing'", []).map { try $0.record("value") }
    }

    func save(_ policy: SigningPolicy) throws {
        try run(
            "INSERT INTO settings (name, value) VALUES ('signing', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [JSON(encoding: policy).text])
    }
}

extension StoredSigningKey {
    fileprivate init(row: SQLRow) throws {
        try self.init(
            id: row("id"), algorithm: row("algorithm"), publicJWK: row("public_jwk"), sealedPrivateKey: row("sealed_private_key"),
            published: row("published"), activated: row("activated"), retired: row("retired"),
            publishedUntil: row("published_until"), removed: row("removed"))
    }
}
