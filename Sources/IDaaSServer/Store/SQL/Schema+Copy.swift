extension Schema {
    /// Every table, each before those that refer to it, with the columns that its engine numbers itself.
    private static let tables: [(name: String, numbered: Set<String>)] = [
        ("clients", []), ("users", []), ("sessions", []), ("session_tokens", []), ("single_use", []), ("events", ["id"]), ("failures", []),
        ("signing_keys", []), ("settings", []), ("social_accounts", []), ("bound_keys", []), ("approvals", []),
        ("status_lists", []), ("revoked_statuses", []), ("signal_streams", []), ("signal_pauses", []), ("signals", ["id"]),
        ("audit_events", []), ("resource_grants", []), ("registered_clients", []),
    ]

    /// Copies every record of one store into another one that has none.
    ///
    /// - Returns: the number of rows.
    /// - Throws: ``StoreFailure``: `refused` if the target has a client, a user, a key or an audit event.
    static func copy(from source: any SQLSession, to target: any SQLSession) throws -> Int {
        for table in ["clients", "users", "signing_keys", "audit_events"] {
            guard try target.rows("SELECT 1 AS one FROM \(table) LIMIT 1", []).isEmpty else {
                throw StoreFailure(.refused, "the target has records already")
            }
        }
        var count = 0
        for table in tables {
            try source.forEachRow("SELECT * FROM \(table.name)", []) { row in
                try insert(row, into: table.name, without: table.numbered, target)
                count += 1
                // An engine that sends later would keep them all in memory.
                if count % 1_000 == 0 { _ = try target.rows("SELECT 1 AS one", []) }
            }
        }
        // Numbers go on behind those of the source, also where the newest events were deleted.
        try source.forEachRow("SELECT newest FROM audit_numbers", []) { try target.run("UPDATE audit_numbers SET newest = ?", $0.values) }
        // Each server reads the keys anew where the number has changed.
        try target.run("UPDATE revisions SET value = value + 1 WHERE name = 'signing_keys'", [])
        return count
    }

    private static func insert(_ row: SQLRow, into table: String, without numbered: Set<String>, _ target: any SQLSession) throws {
        let columns = row.columns.names.indices.filter { !numbered.contains(row.columns.names[$0]) }
        let names = columns.map { row.columns.names[$0] }.joined(separator: ", ")
        let places = [String](repeating: "?", count: columns.count).joined(separator: ", ")
        try target.run("INSERT INTO \(table) (\(names)) VALUES (\(places))", columns.map { row.values[$0] })
    }
}
