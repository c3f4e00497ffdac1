extension SQLTransaction {
    func statusList(_ id: String) throws -> StoredStatusList? {
        try row("SELECT * FROM status_lists WHERE id = ?", [id]).map(StoredStatusList.init(row:))
    }

    func openStatusList(at instant: Timestamp) throws -> StoredStatusList? {
        try row("SELECT * FROM status_lists WHERE open_until > ? ORDER BY opened DESC, id LIMIT 1", [instant.milliseconds])
            .map(StoredStatusList.init(row:))
    }

    func statuses(of list: StoredStatusList, at instant: Timestamp) throws -> StatusBits {
        var bits = StatusBits(count: list.size)
        let sql = """
            SELECT place FROM revoked_statuses
            WHERE list = ? AND place >= ? AND place < ? AND (since IS NULL OR since <= ?)
            """
        for start in stride(from: 0, to: list.size, by: Self.placesInAResult) {
            try forEachRow(sql, [list.id, start, start + Self.placesInAResult, instant.milliseconds]) { try bits.set($0("place")) }
        }
        return bits
    }

    func save(_ list: StoredStatusList) throws {
        try run(
            """
            INSERT INTO status_lists (id, size, opened, open_until, expires) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET open_until = excluded.open_until, expires = excluded.expires
            """,
            [list.id, list.size, list.opened.milliseconds, list.openUntil.milliseconds, list.expires.milliseconds])
    }

    func add(_ decoys: [StatusDecoy], to list: String) throws {
        for start in stride(from: 0, to: decoys.count, by: Self.decoysInAStatement) {
            let part = decoys[start..<min(start + Self.decoysInAStatement, decoys.count)]
            let places = [String](repeating: "(?, ?, ?)", count: part.count).joined(separator: ", ")
            try run(
                "INSERT INTO revoked_statuses (list, place, since) VALUES \(places)",
                part.flatMap { [list, $0.index, $0.since.milliseconds] as [Argument] })
        }
    }

    func keepStatusLists(for span: Duration) throws {
        let milliseconds = (Timestamp(milliseconds: 0) + span).milliseconds
        try run("UPDATE status_lists SET expires = open_until + ? WHERE expires < open_until + ?", [milliseconds, milliseconds])
    }

    /// Deletes one list, so that a sweep after a long pause stays short.
    func removeStatusList(expiredBefore instant: Timestamp) throws {
        let sql = "SELECT id FROM status_lists WHERE expires <= ? ORDER BY expires, id LIMIT 1"
        guard let id: String = try row(sql, [instant.milliseconds]).map({ try $0("id") }) else { return }
        try run("DELETE FROM revoked_statuses WHERE list = ?", [id])
        try run("DELETE FROM status_lists WHERE id = ?", [id])
    }

    // Of sessions

    func insert(_ session: StoredSession) throws -> Bool {
        try count(
            """
            INSERT INTO sessions
                (id, user_id, client, device, device_name, methods, authenticated, used, generation, sealed_family_key, ended,
                status_list, status_place)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            WHERE NOT EXISTS (SELECT 1 FROM revoked_statuses WHERE list = ? AND place = ?)
            ON CONFLICT DO NOTHING
            """,
            session.arguments + session.status.arguments + session.status.arguments) > 0
    }

    func place(_ session: String, at place: StatusPlace) throws -> Bool {
        let arguments = StatusPlace?.some(place).arguments
        return try count(
            """
            UPDATE sessions SET status_list = ?, status_place = ?
            WHERE id = ? AND NOT EXISTS (SELECT 1 FROM revoked_statuses WHERE list = ? AND place = ?)
                AND NOT EXISTS (SELECT 1 FROM sessions WHERE status_list = ? AND status_place = ?)
            """,
            arguments + [session] + arguments + arguments) > 0
    }

    /// Revokes the place of a session that ended.
    func revoke(_ place: StatusPlace) throws {
        try run(
            "INSERT INTO revoked_statuses (list, place) VALUES (?, ?) ON CONFLICT (list, place) DO NOTHING", [place.list, place.index])
    }

    /// Revokes the places of several sessions, before they end or are removed.
    func revokeStatuses(ofSessionsWhere condition: String, _ arguments: [Argument]) throws {
        try run(
            """
            INSERT INTO revoked_statuses (list, place)
            SELECT status_list, status_place FROM sessions WHERE \(condition) AND status_list IS NOT NULL
            ON CONFLICT (list, place) DO NOTHING
            """, arguments)
    }

    /// An engine has a limit of values in a statement, 32,766 at least.
    private static let decoysInAStatement = 512
    /// An engine may keep a result in memory, a hundred bytes for each row.
    private static let placesInAResult = 1 << 16
}

extension StatusPlace? {
    fileprivate var arguments: [SQLTransaction.Argument] { [self?.list, self?.index] }
}

extension StoredStatusList {
    fileprivate init(row: SQLRow) throws {
        try self.init(
            id: row("id"), size: row("size"), opened: row("opened"), openUntil: row("open_until"), expires: row("expires"))
    }
}
