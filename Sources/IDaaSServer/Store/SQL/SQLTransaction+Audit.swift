extension SQLTransaction {
    func auditEvents(after number: Int, limit: Int) throws -> [StoredAuditEvent] {
        try rows("SELECT number, server, line FROM audit_events WHERE number > ? ORDER BY number LIMIT ?", [number, limit])
            .map { try StoredAuditEvent(number: $0("number"), server: $0("server"), line: $0("line")) }
    }

    func newestAuditNumber() throws -> Int { try row("SELECT newest FROM audit_numbers", []).map { try $0("newest") } ?? 0 }

    func add(_ events: [AuditEvent], of server: String) throws -> Int {
        // First: the row stays locked until the commit, so events become visible in the order of their numbers.
        try run("UPDATE audit_numbers SET newest = newest + ?", [events.count])
        let first = try newestAuditNumber() - events.count + 1
        for (place, event) in events.enumerated() {
            try run(
                "INSERT INTO audit_events (number, server, at, line) VALUES (?, ?, ?, ?)",
                [first + place, server, event.time.milliseconds, event.line])
        }
        return first
    }

    func removeAuditEvents(before instant: Timestamp, limit: Int) throws -> Int {
        try count(
            "DELETE FROM audit_events WHERE number IN (SELECT number FROM audit_events WHERE at < ? ORDER BY at LIMIT ?)",
            [instant.milliseconds, limit])
    }
}
