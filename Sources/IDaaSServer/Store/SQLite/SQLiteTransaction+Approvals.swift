internal import GRDB
internal import IDaaSWire

extension SQLiteTransaction {
    func approval(_ id: [UInt8]) throws -> Approval? {
        try row("SELECT * FROM approvals WHERE id = ?", [id.blob]).map(Approval.init(row:))
    }

    func latestApproval(of user: String, with authenticator: String) throws -> Approval? {
        try row(
            "SELECT * FROM approvals WHERE user = ? AND authenticator = ? ORDER BY answered IS NULL DESC, created DESC, id LIMIT 1",
            [user, authenticator]
        )
        .map(Approval.init(row:))
    }

    func add(_ approval: Approval) throws {
        try cancelApprovals(of: approval.user, with: approval.authenticator, at: approval.created)
        try run(
            """
            INSERT INTO approvals (id, user, authenticator, client, device, region, state, random, key_id, match_code, message, created,
                expires, interval)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                approval.id.blob, approval.user, approval.authenticator, approval.client, approval.device.blob, approval.region,
                approval.state.blob, approval.random, approval.keyID.blob, approval.matchCode, approval.message,
                approval.created.milliseconds, approval.expires.milliseconds, approval.interval.components.seconds,
            ])
    }

    func answer(_ id: [UInt8], _ answer: Approval.Answer, by verification: UserVerification?, at instant: Timestamp) throws -> Bool {
        try run(
            "UPDATE approvals SET answered = ?, answer = ?, verification = ? WHERE id = ? AND answered IS NULL AND expires > ?",
            [instant.milliseconds, answer.rawValue, verification?.rawValue, id.blob, instant.milliseconds]) > 0
    }

    func deliver(_ id: [UInt8], at instant: Timestamp) throws -> Bool {
        try run(
            "UPDATE approvals SET delivered = ? WHERE id = ? AND delivered IS NULL AND answer = ?",
            [instant.milliseconds, id.blob, Approval.Answer.approved.rawValue]) > 0
    }

    func poll(_ id: [UInt8], at instant: Timestamp, interval: Duration) throws {
        try run("UPDATE approvals SET polled = ?, interval = ? WHERE id = ?", [instant.milliseconds, interval.components.seconds, id.blob])
    }

    func cancelApprovals(of user: String, with authenticator: String, at instant: Timestamp) throws {
        try run(
            "UPDATE approvals SET answered = ?, answer = ? WHERE user = ? AND authenticator = ? AND answered IS NULL",
            [instant.milliseconds, Approval.Answer.cancelled.rawValue, user, authenticator])
    }
}

extension Approval {
    fileprivate init(row: Row) {
        self.init(
            id: row.bytes("id"), user: row["user"], authenticator: row["authenticator"], client: row["client"],
            device: row.bytes("device"), region: row["region"], state: row.bytes("state"), random: row["random"],
            keyID: row.bytes("key_id"), matchCode: row["match_code"], message: row["message"], created: row.instant("created"),
            expires: row.instant("expires"), interval: .seconds(row["interval"] as Int64))
        polled = row.instantIfAny("polled")
        answered = row.instantIfAny("answered")
        answer = (row["answer"] as String?).flatMap(Answer.init(rawValue:))
        verification = (row["verification"] as String?).flatMap(UserVerification.init(rawValue:))
        delivered = row.instantIfAny("delivered")
    }
}
