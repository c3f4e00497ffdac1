extension SQLTransaction {
    func singleUse(_ purpose: SingleUse.Purpose, _ key: [UInt8]) throws -> SingleUse? {
        try row("SELECT * FROM single_use WHERE purpose = ? AND key = ?", [purpose.rawValue, key]).map(SingleUse.init(row:))
    }

    func singleUses(of subject: String) throws -> [SingleUse] {
        try rows("SELECT * FROM single_use WHERE subject = ? AND subject <> '' ORDER BY created DESC, purpose, key", [subject])
            .map(SingleUse.init(row:))
    }

    func save(_ thing: SingleUse) throws {
        try run(
            """
            \(Self.insertion) ON CONFLICT (purpose, key) DO UPDATE SET client = excluded.client, device = excluded.device,
                subject = excluded.subject, content = excluded.content, created = excluded.created, expires = excluded.expires,
                failures = excluded.failures, consumed = excluded.consumed, outcome = excluded.outcome
            """, thing.arguments)
    }

    func insert(_ thing: SingleUse) throws -> Bool { try count("\(Self.insertion) ON CONFLICT DO NOTHING", thing.arguments) > 0 }

    func consume(_ purpose: SingleUse.Purpose, _ key: [UInt8], at instant: Timestamp, outcome: String?) throws -> Bool {
        try count(
            "UPDATE single_use SET consumed = ?, outcome = ? WHERE purpose = ? AND key = ? AND consumed IS NULL AND expires > ?",
            [instant.milliseconds, outcome, purpose.rawValue, key, instant.milliseconds]) > 0
    }

    private static let insertion = """
        INSERT INTO single_use (purpose, key, client, device, subject, content, created, expires, failures, consumed, outcome)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

extension SingleUse {
    fileprivate init(row: SQLRow) throws {
        try self.init(
            purpose: Purpose(rawValue: row("purpose")), key: row("key"), client: row("client"), device: row("device"),
            subject: row("subject"), content: row("content"), created: row("created"), expires: row("expires"),
            failures: row("failures"), consumed: row("consumed"), outcome: row("outcome"))
    }

    fileprivate var arguments: [SQLTransaction.Argument] {
        [
            purpose.rawValue, key, client, device, subject, content, created.milliseconds, expires.milliseconds, failures,
            consumed?.milliseconds, outcome,
        ]
    }
}
