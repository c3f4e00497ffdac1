extension SQLTransaction {
    // Reading

    func signalLook(at instant: Timestamp) throws -> SignalLook {
        let streams = try rows(
            """
            SELECT id, CASE WHEN url IS NULL THEN 1 ELSE 0 END AS polls,
                CASE WHEN EXISTS (SELECT 1 FROM signals WHERE stream = signal_streams.id AND due <= ?)
                    AND NOT EXISTS (SELECT 1 FROM signal_pauses WHERE stream = signal_streams.id AND ends > ?)
                    THEN 1 ELSE 0 END AS has_work
            FROM signal_streams ORDER BY id
            """, [instant.milliseconds, instant.milliseconds])
        var look = SignalLook(hasStreams: !streams.isEmpty)
        for row in streams where try row("has_work") {
            let id: String = try row("id")
            if try row("polls") { look.polls.insert(id) } else if let stream = try signalStream(id) { look.pushes.append(stream) }
        }
        return look
    }

    func signals(of stream: String, at instant: Timestamp, limit: Int) throws -> [StoredSignal] {
        try rows(
            "SELECT * FROM signals WHERE stream = ? AND due <= ? ORDER BY due, id LIMIT ?", [stream, instant.milliseconds, limit]
        )
        .map(StoredSignal.init(row:))
    }

    func signals(_ tokenIDs: [String], of stream: String) throws -> [StoredSignal] {
        let ids = Array(Set(tokenIDs.compactMap(StoredSignal.id(inTokenID:)))), known = Set(tokenIDs)
        let places = [String](repeating: "?", count: Self.idsInAStatement).joined(separator: ", ")
        let sql = "SELECT * FROM signals WHERE stream = ? AND id IN (\(places))"
        return try stride(from: 0, to: ids.count, by: Self.idsInAStatement).flatMap { start in
            let part = ids[start..<min(start + Self.idsInAStatement, ids.count)]
            // One statement for any number: an engine prepares it once.
            let padded = part + [Int64](repeating: ids[start], count: Self.idsInAStatement - part.count)
            return try rows(sql, [stream] + padded.map { $0 as Argument }).map(StoredSignal.init(row:))
        }
        .filter { known.contains($0.tokenID) }
    }

    private static let idsInAStatement = 64

    func signalCounts() throws -> [String: Int] { try counts("SELECT stream, count(*) AS count FROM signals GROUP BY stream", []) }

    func signalCounts(before instant: Timestamp) throws -> [String: Int] {
        try counts("SELECT stream, count(*) AS count FROM signals WHERE at <= ? GROUP BY stream", [instant.milliseconds])
    }

    private func counts(_ sql: String, _ arguments: [Argument]) throws -> [String: Int] {
        try rows(sql, arguments).reduce(into: [:]) { try $0[$1("stream")] = $1("count") }
    }

    func signalPause(of stream: String) throws -> SignalPause? {
        try row("SELECT * FROM signal_pauses WHERE stream = ?", [stream])
            .map { try SignalPause(failures: $0("failures"), ends: $0("ends")) }
    }

    // Delivering

    func lease(_ signals: [StoredSignal], until instant: Timestamp) throws {
        for signal in signals { try run("UPDATE signals SET due = ? WHERE id = ?", [instant.milliseconds, signal.id]) }
    }

    func remove(_ signals: [StoredSignal]) throws {
        for signal in signals { try run("DELETE FROM signals WHERE id = ?", [signal.id]) }
    }

    func postpone(_ signal: StoredSignal, until instant: Timestamp) throws {
        try run("UPDATE signals SET attempts = ?, due = ? WHERE id = ?", [signal.attempts, instant.milliseconds, signal.id])
    }

    func removeSignals(before instant: Timestamp) throws { try run("DELETE FROM signals WHERE at <= ?", [instant.milliseconds]) }

    func pause(_ stream: String, _ pause: SignalPause?) throws {
        guard let pause else { return try run("DELETE FROM signal_pauses WHERE stream = ?", [stream]) }
        // The stream may have been removed meanwhile.
        try run(
            """
            INSERT INTO signal_pauses (failures, ends, stream) SELECT ?, ?, id FROM signal_streams WHERE id = ?
            ON CONFLICT (stream) DO UPDATE SET failures = excluded.failures, ends = excluded.ends
            """, [pause.failures, pause.ends.milliseconds, stream])
    }
}

extension StoredSignal {
    fileprivate init(row: SQLRow) throws {
        self.init(
            id: try row("id"), stream: try row("stream"), signal: Signal(try Signal.Event(row: row), at: try row("at")),
            attempts: try row("attempts"))
    }
}

extension Signal.Event {
    /// - Throws: ``StoreFailure``: `malformedRecord` for an event that this version does not know.
    fileprivate init(row: SQLRow) throws {
        switch Kind(rawValue: try row("event")) {
        case .revoked: self = try .sessionRevoked(user: row("user_id"), session: row("session"), by: .init(row: row))
        case .bundle:
            let sessions: String = try row("session")
            self = try .sessionsRevoked(sessions.split(separator: " " as Character).map(String.init), by: .init(row: row))
        case .changed:
            guard let credential = Signal.Credential(rawValue: try row("credential")),
                let change = Signal.Change(rawValue: try row("change"))
            else { throw StoreFailure(.malformedRecord, "credential") }
            self = try .credentialChange(user: row("user_id"), credential, change, by: .init(row: row))
        case .verification: self = try .verification(state: row("state"))
        case nil: throw StoreFailure(.malformedRecord, "event")
        }
    }
}

extension Signal.Initiator {
    fileprivate init(row: SQLRow) throws {
        guard let initiator = Self(rawValue: try row("initiator")) else { throw StoreFailure(.malformedRecord, "initiator") }
        self = initiator
    }
}
