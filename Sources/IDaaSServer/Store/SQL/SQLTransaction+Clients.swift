extension SQLTransaction {
    func client(_ id: String) throws -> Client? { try row("SELECT * FROM clients WHERE id = ?", [id]).map(Client.init(row:)) }

    func clients() throws -> [Client] { try rows("SELECT * FROM clients ORDER BY id", []).map(Client.init(row:)) }

    func save(_ client: Client) throws {
        // Not REPLACE: it deletes the row first, and with it the rows that refer to it.
        try run(
            """
            INSERT INTO clients (id, name, settings, public_key, sealed_private_key, created) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, settings = excluded.settings, public_key = excluded.public_key,
                sealed_private_key = excluded.sealed_private_key
            """,
            [
                client.id, client.name, JSON(encoding: client.settings).text,
                client.signatureKey?.publicKey, client.signatureKey?.sealedPrivateKey, client.created.milliseconds,
            ])
    }

    func removeClient(_ id: String, at instant: Timestamp) throws -> Bool {
        try addRevocations(ofSessionsWhere: "client = ?", [id], at: instant, by: .admin)
        try revokeStatuses(ofSessionsWhere: "client = ?", [id])
        return try count("DELETE FROM clients WHERE id = ?", [id]) > 0
    }
}

extension Client {
    fileprivate init(row: SQLRow) throws {
        var key: ClientSignatureKey?
        if let publicKey = try row("public_key") as String? {
            key = ClientSignatureKey(publicKey: publicKey, sealedPrivateKey: try row("sealed_private_key"))
        }
        try self.init(
            id: row("id"), name: row("name"),
            settings: row.record("settings"), signatureKey: key,
            created: row("created"))
    }
}
