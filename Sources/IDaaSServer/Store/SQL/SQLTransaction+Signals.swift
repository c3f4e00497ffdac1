extension SQLTransaction {
    // Streams

    func signalStreams() throws -> [SignalStream] {
        try rows("SELECT * FROM signal_streams ORDER BY id", []).map(SignalStream.init(row:))
    }

    func signalStream(_ id: String) throws -> SignalStream? {
        try row("SELECT * FROM signal_streams WHERE id = ?", [id]).map(SignalStream.init(row:))
    }

    func save(_ stream: SignalStream) throws {
        // Not REPLACE: it deletes the row first, and with it the signals that wait.
        try run(
            """
            INSERT INTO signal_streams (id, name, audience, url, sealed_secret, secret_digest, revocations, credentials, created)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, audience = excluded.audience, url = excluded.url,
                sealed_secret = excluded.sealed_secret, secret_digest = excluded.secret_digest, revocations = excluded.revocations,
                credentials = excluded.credentials
            """,
            stream.arguments)
    }

    func removeSignalStream(_ id: String) throws -> Bool { try count("DELETE FROM signal_streams WHERE id = ?", [id]) > 0 }

    // Adding

    func add(_ signal: Signal) throws {
        let wanted: String
        switch signal.event {
        case .sessionRevoked: wanted = "revocations = 1"
        case .credentialChange: wanted = "credentials = 1"
        case .verification: throw StoreFailure(.refused, "a verification is for one stream")
        }
        try add(signal, toStreamsWhere: wanted, [])
    }

    func add(_ signal: Signal, to stream: String) throws { try add(signal, toStreamsWhere: "id = ?", [stream]) }

    private func add(_ signal: Signal, toStreamsWhere condition: String, _ arguments: [Argument]) throws {
        let instant = signal.at.milliseconds
        try run(
            """
            INSERT INTO signals (event, user_id, session, initiator, credential, change, state, at, attempts, due, stream)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, id FROM signal_streams WHERE \(condition)
            """,
            signal.event.parts.map { $0 as Argument } + [instant, instant] + arguments)
        mark?.set()
    }

    /// Adds a signal for each of the sessions that go on, before they end or are removed.
    func addRevocations(
        ofSessionsWhere condition: String, _ arguments: [Argument], at instant: Timestamp, by initiator: Signal.Initiator
    ) throws {
        let milliseconds = instant.milliseconds
        try run(
            """
            INSERT INTO signals (event, initiator, at, attempts, due, user_id, session, stream)
            SELECT ?, ?, ?, 0, ?, sessions.user_id, sessions.id, signal_streams.id FROM sessions CROSS JOIN signal_streams
            WHERE signal_streams.revocations = 1 AND sessions.ended IS NULL AND \(condition)
            """,
            [Signal.Event.Kind.revoked.rawValue, initiator.rawValue, milliseconds, milliseconds] + arguments)
        mark?.set()
    }

    func end(_ sessions: SessionSelection, at instant: Timestamp, by initiator: Signal.Initiator) throws {
        let (condition, arguments) = sessions.condition
        if sessions.client == nil, sessions.method == nil {
            try add(Signal(.sessionRevoked(user: sessions.user, session: nil, by: initiator), at: instant))
        } else {
            try addRevocations(ofSessionsWhere: condition, arguments, at: instant, by: initiator)
        }
        try revokeStatuses(ofSessionsWhere: "ended IS NULL AND \(condition)", arguments)
        try run("UPDATE sessions SET ended = ? WHERE ended IS NULL AND \(condition)", [instant.milliseconds] + arguments)
    }
}

extension SessionSelection {
    /// For a statement on `sessions`.
    fileprivate var condition: (sql: String, arguments: [SQLTransaction.Argument]) {
        var (sql, arguments) = ("user_id = ?", [user] as [SQLTransaction.Argument])
        if let client {
            sql += " AND client = ?"
            arguments.append(client)
        }
        if let method {
            sql += " AND ' ' || methods || ' ' LIKE ?"
            arguments.append("% \(method) %")
        }
        return (sql, arguments)
    }
}

extension SignalStream {
    fileprivate var arguments: [SQLTransaction.Argument] {
        var push: (url: String, secret: [UInt8]?)?
        var digest: [UInt8]?
        switch delivery {
        case .push(let url, let secret): push = (url, secret)
        case .poll(let secretDigest): digest = secretDigest
        }
        return [id, name, audience, push?.url, push?.secret, digest, wantsRevocations, wantsCredentials, created.milliseconds]
    }

    /// - Throws: ``StoreFailure``: `malformedRecord` for a stream that is of neither kind: it must not be read as one without a secret.
    fileprivate init(row: SQLRow) throws {
        let delivery: Delivery
        if let url: String = try row("url") {
            delivery = try .push(url: url, sealedSecret: row("sealed_secret"))
        } else {
            delivery = try .poll(secretDigest: row("secret_digest"))
        }
        try self.init(id: row("id"), name: row("name"), audience: row("audience"), delivery: delivery, created: row("created"))
        wantsRevocations = try row("revocations")
        wantsCredentials = try row("credentials")
    }
}
