internal import GRDB

extension SQLiteTransaction {
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
                client.signatureKey?.publicKey, client.signatureKey?.sealedPrivateKey.blob, client.created.milliseconds,
            ])
    }

    func removeClient(_ id: String) throws -> Bool { try run("DELETE FROM clients WHERE id = ?", [id]) > 0 }
}

extension Client {
    fileprivate init(row: Row) throws {
        var key: ClientSignatureKey?
        if let publicKey = row["public_key"] as String? {
            key = ClientSignatureKey(publicKey: publicKey, sealedPrivateKey: row.bytes("sealed_private_key"))
        }
        self.init(
            id: row["id"], name: row["name"],
            settings: try row.record("settings"), signatureKey: key,
            created: row.instant("created"))
    }
}
