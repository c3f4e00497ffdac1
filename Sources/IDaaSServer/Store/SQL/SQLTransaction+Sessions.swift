extension SQLTransaction {
    func session(_ id: String) throws -> StoredSession? {
        try row("SELECT * FROM sessions WHERE id = ?", [id]).map(StoredSession.init(row:))
    }

    func sessions(of user: String) throws -> [StoredSession] {
        try rows("SELECT * FROM sessions WHERE user_id = ? ORDER BY authenticated DESC, id", [user]).map(StoredSession.init(row:))
    }

    func sessionToken(_ digest: [UInt8]) throws -> SessionToken? {
        try row("SELECT * FROM session_tokens WHERE digest = ?", [digest]).map { row in
            try SessionToken(
                digest: digest, session: row("session"), generation: row("generation"), rotated: row("rotated"))
        }
    }

    func save(_ session: StoredSession) throws {
        try run(
            """
            INSERT INTO sessions
                (id, user_id, client, device, device_name, methods, authenticated, used, generation, sealed_family_key, ended)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET used = excluded.used, generation = excluded.generation, ended = excluded.ended
            """,
            session.arguments)
        if let place = session.status, session.ended != nil { try revoke(place) }
    }

    func save(_ token: SessionToken) throws {
        try run(
            """
            INSERT INTO session_tokens (digest, session, generation, rotated) VALUES (?, ?, ?, ?)
            ON CONFLICT (digest) DO UPDATE SET rotated = excluded.rotated
            """,
            [token.digest, token.session, token.generation, token.rotated?.milliseconds])
    }

    func removeSessionTokens(of session: String, before generation: Int) throws {
        try run("DELETE FROM session_tokens WHERE session = ? AND generation < ?", [session, generation])
    }
}

extension StoredSession {
    /// Every column but those of the status list, in the order of the statements.
    var arguments: [SQLTransaction.Argument] {
        [
            id, user, client, device, deviceName, methods.joined(separator: " "), authenticated.milliseconds, used.milliseconds, generation,
            sealedFamilyKey, ended?.milliseconds,
        ]
    }

    fileprivate init(row: SQLRow) throws {
        try self.init(
            id: row("id"), user: row("user_id"), client: row("client"), device: row("device"), deviceName: row("device_name"),
            methods: (row("methods") as String).split(separator: " ").map(String.init), authenticated: row("authenticated"),
            used: row("used"), generation: row("generation"), sealedFamilyKey: row("sealed_family_key"),
            ended: row("ended"),
            status: (row("status_list") as String?).map { StatusPlace(list: $0, index: try row("status_place")) })
    }
}
