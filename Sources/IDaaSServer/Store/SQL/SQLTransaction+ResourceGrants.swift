extension SQLTransaction {
    func resourceGrant(of session: String) throws -> ResourceGrant? {
        try row("SELECT * FROM resource_grants WHERE session = ?", [session]).map { row in
            try ResourceGrant(
                session: session, resource: row("resource"), scopes: (row("scopes") as String).split(separator: " ").map(String.init),
                isRenewable: (row("renewable") as Int) != 0)
        }
    }

    func add(_ grant: ResourceGrant) throws {
        try run(
            "INSERT INTO resource_grants (session, resource, scopes, renewable) VALUES (?, ?, ?, ?)",
            [grant.session, grant.resource, grant.scopes.joined(separator: " "), grant.isRenewable ? 1 : 0])
    }

    // Registered clients

    func registeredClient(_ id: String) throws -> RegisteredClient? {
        try row("SELECT * FROM registered_clients WHERE client = ?", [id]).map { row in
            try RegisteredClient(id: id, created: row("created"), used: row("used"), freshUntil: row("fresh_until"))
        }
    }

    func registeredClientCount() throws -> Int {
        try row("SELECT count(*) AS clients FROM registered_clients", []).map { try $0("clients") } ?? 0
    }

    func registeredClients(unusedSince unused: Timestamp, idleSince idle: Timestamp, limit: Int) throws -> [String] {
        let sql = """
            SELECT client FROM registered_clients WHERE (used IS NULL AND created <= ?) OR used <= ? ORDER BY client LIMIT ?
            """
        return try rows(sql, [unused.milliseconds, idle.milliseconds, limit]).map { try $0("client") }
    }

    func save(_ client: RegisteredClient) throws {
        try run(
            """
            INSERT INTO registered_clients (client, created, used, fresh_until) VALUES (?, ?, ?, ?)
            ON CONFLICT (client) DO UPDATE SET used = excluded.used, fresh_until = excluded.fresh_until
            """,
            [client.id, client.created.milliseconds, client.used?.milliseconds, client.freshUntil?.milliseconds])
    }
}
