internal import GRDB

extension SQLiteTransaction {
    func singleUse(_ purpose: SingleUse.Purpose, _ key: [UInt8]) throws -> SingleUse? {
        try row("SELECT * FROM single_use WHERE purpose = ? AND key = ?", [purpose.rawValue, key.blob]).map(SingleUse.init(row:))
    }

    func singleUses(of subject: String) throws -> [SingleUse] {
        try rows("SELECT * FROM single_use WHERE subject = ? AND subject <> '' ORDER BY created DESC, purpose, key", [subject])
            .map(SingleUse.init(row:))
    }

    func save(_ thing: SingleUse) throws {
        try run("INSERT OR REPLACE \(Self.insertion)", thing.arguments)
    }

    func insert(_ thing: SingleUse) throws -> Bool { try run("INSERT OR IGNORE \(Self.insertion)", thing.arguments) > 0 }

    func consume(_ purpose: SingleUse.Purpose, _ key: [UInt8], at instant: Timestamp, outcome: String?) throws -> Bool {
        try run(
            "UPDATE single_use SET consumed = ?, outcome = ? WHERE purpose = ? AND key = ? AND consumed IS NULL AND expires > ?",
            [instant.milliseconds, outcome, purpose.rawValue, key.blob, instant.milliseconds]) > 0
    }

    private static let insertion = """
        INTO single_use (purpose, key, client, device, subject, content, created, expires, failures, consumed, outcome)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

extension SingleUse {
    fileprivate init(row: Row) {
        self.init(
            purpose: Purpose(rawValue: row["purpose"]), key: row.bytes("key"), client: row["client"], device: row.bytes("device"),
            subject: row["subject"], content: row.bytes("content"), created: row.instant("created"), expires: row.instant("expires"),
            failures: row["failures"], consumed: row.instantIfAny("consumed"), outcome: row["outcome"])
    }

    fileprivate var arguments: [SQLiteTransaction.Argument] {
        [
            purpose.rawValue, key.blob, client, device.blob, subject, content.blob, created.milliseconds, expires.milliseconds, failures,
            consumed?.milliseconds, outcome,
        ]
    }
}
