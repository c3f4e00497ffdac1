extension SQLTransaction {
    func event(_ scope: Limit.Scope, _ key: String, ordinal: Int, after instant: Timestamp) throws -> Timestamp? {
        try row(
            "SELECT at FROM events WHERE scope = ? AND key = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
            [scope.rawValue, key, instant.milliseconds, ordinal - 1]
        )
        .map { try $0("at") }
    }

    func record(_ scope: Limit.Scope, _ key: String, at instant: Timestamp) throws {
        try run("INSERT INTO events (scope, key, at) VALUES (?, ?, ?)", [scope.rawValue, key, instant.milliseconds])
    }

    func removeEvent(_ scope: Limit.Scope, _ key: String, at instant: Timestamp) throws {
        try run(
            "DELETE FROM events WHERE id = (SELECT id FROM events WHERE scope = ? AND key = ? AND at = ? LIMIT 1)",
            [scope.rawValue, key, instant.milliseconds])
    }

    func events(of mobile: String) throws -> [NumberEvent] {
        // Scope by scope, in the order of the index. Events of a pause duplicate those of its sends.
        let events = try Limit.Scope.ofNumber.filter { $0 != .sendPause }.flatMap { scope in
            try rows("SELECT at FROM events WHERE scope = ? AND key = ?", [scope.rawValue, mobile])
                .map { try NumberEvent(scope: scope, time: $0("at")) }
        }
        return events.sorted { ($1.time, $1.scope.rawValue) < ($0.time, $0.scope.rawValue) }
    }

    func failures(of mobile: String) throws -> [LoginFailures] {
        try rows("SELECT * FROM failures WHERE mobile = ? ORDER BY updated DESC, device", [mobile]).map(LoginFailures.init(row:))
    }

    func failures(of mobile: String, on device: [UInt8]) throws -> LoginFailures? {
        try row("SELECT * FROM failures WHERE mobile = ? AND device = ?", [mobile, device]).map(LoginFailures.init(row:))
    }

    func save(_ failures: LoginFailures) throws {
        try run(
            """
            INSERT INTO failures (mobile, device, count, locks, locked_until, updated) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (mobile, device) DO UPDATE SET count = excluded.count, locks = excluded.locks,
                locked_until = excluded.locked_until, updated = excluded.updated
            """,
            [
                failures.mobile, failures.device, failures.count, failures.locks, failures.lockedUntil?.milliseconds,
                failures.updated.milliseconds,
            ])
    }

    func removeFailures(of mobile: String) throws { try run("DELETE FROM failures WHERE mobile = ?", [mobile]) }

    func removeFailures(of mobile: String, on device: [UInt8]) throws {
        try run("DELETE FROM failures WHERE mobile = ? AND device = ?", [mobile, device])
    }

    func sweep(_ horizon: SweepHorizon) throws {
        try run("DELETE FROM events WHERE at <= ?", [horizon.events.milliseconds])
        try run("DELETE FROM single_use WHERE expires <= ?", [horizon.singleUse.milliseconds])
        try run("DELETE FROM approvals WHERE expires <= ?", [horizon.approvals.milliseconds])
        try run("DELETE FROM sessions WHERE ended IS NOT NULL AND ended <= ?", [horizon.endedSessions.milliseconds])
        try run("DELETE FROM sessions WHERE used <= ?", [horizon.idleSessions.milliseconds])
        try run(
            "DELETE FROM failures WHERE updated <= ? AND (locked_until IS NULL OR locked_until <= ?)",
            [horizon.failures.milliseconds, horizon.failures.milliseconds])
        try removeStatusList(expiredBefore: horizon.statusLists)
    }
}

extension LoginFailures {
    fileprivate init(row: SQLRow) throws {
        try self.init(
            mobile: row("mobile"), device: row("device"), count: row("count"), locks: row("locks"),
            lockedUntil: row("locked_until"), updated: row("updated"))
    }
}
