internal import IDaaSWire

extension SQLTransaction {
    func boundKey(of user: String, with client: String) throws -> BoundKey? {
        try row("SELECT * FROM bound_keys WHERE user_id = ? AND client = ?", [user, client]).map(BoundKey.init(row:))
    }

    func boundKeys(of user: String) throws -> [BoundKey] {
        try rows("SELECT * FROM bound_keys WHERE user_id = ? ORDER BY client", [user]).map(BoundKey.init(row:))
    }

    func save(_ key: BoundKey) throws -> Bool {
        // Not REPLACE: it would delete another user's row with the same key.
        guard
            try row("SELECT 1 FROM bound_keys WHERE key_id = ? AND (user_id <> ? OR client <> ?)", [key.keyID, key.user, key.client])
                == nil
        else { return false }
        try run(
            """
            INSERT INTO bound_keys (user_id, client, key_id, document, version, device, device_name, bound) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (user_id, client) DO UPDATE SET key_id = excluded.key_id, document = excluded.document, version = excluded.version,
                device = excluded.device, device_name = excluded.device_name, bound = excluded.bound
            """,
            [
                key.user, key.client, key.keyID, key.document, key.version.rawValue, key.device, key.deviceName,
                key.bound.milliseconds,
            ])
        return true
    }

    func removeBoundKey(of user: String, with client: String) throws {
        try run("DELETE FROM bound_keys WHERE user_id = ? AND client = ?", [user, client])
    }
}

extension BoundKey {
    fileprivate init(row: SQLRow) throws {
        try self.init(
            user: row("user_id"), client: row("client"), keyID: row("key_id"), document: row("document"),
            // A version that this program does not know is treated as the strictest one that it does.
            version: SignatureVersion(rawValue: row("version")) ?? .statement, device: row("device"),
            deviceName: row("device_name"), bound: row("bound"))
    }
}
