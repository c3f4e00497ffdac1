internal import IDaaSWire

extension SQLTransaction {
    func approval(_ id: [UInt8]) throws -> Approval? {
        try row("SELECT * FROM approvals WHERE id = ?", [id]).map(Approval.init(row:))
    }

    func latestApproval(of user: String, with authenticator: String) throws -> Approval? {
        try row(
            "SELECT * FROM approvals WHERE user_id = ? AND authenticator = ? ORDER BY answered IS NULL DESC, created DESC, id LIMIT 1",
            [user, authenticator]
        )
        .map(Approval.init(row:))
    }

    func add(_ approval: Approval) throws {
        try cancelApprovals(of: approval.user, with: approval.authenticator, at: approval.created)
        try run(
            """
            INSERT INTO approvals (id, user_id, authenticator, client, device, region, state, random, key_id, match_code, message, created,
                expires, interval)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                approval.id, approval.user, approval.authenticator, approval.client, approval.device, approval.region,
                approval.state, approval.random, approval.keyID, approval.matchCode, approval.message,
                approval.created.milliseconds, approval.expires.milliseconds, approval.interval.components.seconds,
            ])
    }

    func answer(_ id: [UInt8], _ answer: Approval.Answer, by verification: UserVerification?, at instant: Timestamp) throws -> Bool {
        try count(
            "UPDATE approvals SET answered = ?, answer = ?, verification = ? WHERE id = ? AND answered IS NULL AND expires > ?",
            [instant.milliseconds, answer.rawValue, verification?.rawValue, id, instant.milliseconds]) > 0
    }

    func deliver(_ id: [UInt8], at instant: Timestamp) throws -> Bool {
        try count(
            "UPDATE approvals SET delivered = ? WHERE id = ? AND delivered IS NULL AND answer = ?",
            [instant.milliseconds, id, Approval.Answer.approved.rawValue]) > 0
    }

    func poll(_ id: [UInt8], at instant: Timestamp, interval: Duration) throws {
        try run("UPDATE approvals SET polled = ?, interval = ? WHERE id = ?", [instant.milliseconds, interval.components.seconds, id])
    }

    func cancelApprovals(of user: String, with authenticator: String, at instant: Timestamp) throws {
        try run(
            "UPDATE approvals SET answered = ?, answer = ? WHERE user_id = ? AND authenticator = ? AND answered IS NULL",
            [instant.milliseconds, Approval.Answer.cancelled.rawValue, user, authenticator])
    }
}

extension Approval {
    fileprivate init(row: SQLRow) throws {
        try self.init(
            id: row("id"), user: row("user_id"), authenticator: row("authenticator"), client: row("client"),
            device: row("device"), region: row("region"), state: row("state"), random: row("random"),
            keyID: row("key_id"), matchCode: row("match_code"), message: row("message"), created: row("created"),
            expires: row("expires"), interval: .seconds(row("interval") as Int64))
        polled = try row("polled")
        answered = try row("answered")
        answer = try (row("answer") as String?).flatMap(Answer.init(rawValue:))
        verification = try (row("verification") as String?).flatMap(UserVerification.init(rawValue:))
        delivered = try row("delivered")
    }
}
