#if IDaaS
/// One step of somebody's authentication, as the audit trail keeps it (sentence 55), or one act of administration.
package struct AuditEvent: Hashable, Sendable {
    package let time: Timestamp
    package let action: AuditAction
    /// `ok`, or the code of the refusal.
    package let outcome: String
    /// Nil for what no request asked for.
    package let requestID: String?
    package let client: String?
    /// A masked number, or the first digits of a token's hash.
    package let subject: String?
    package let userID: String?
    /// The session that it is about.
    package let sessionID: String?
    package let address: String?
    /// The machine's account that administered.
    package let account: String?
    /// Why, where nobody asked for it.
    package let reason: String?
    /// The session that asked.
    package let bearerSessionID: String?

    package init(
        time: Timestamp, action: AuditAction, outcome: String, requestID: String?, client: String?, subject: String?, userID: String?,
        sessionID: String?, address: String?, account: String? = nil, reason: String? = nil, bearerSessionID: String? = nil
    ) {
        self.time = time
        self.action = action
        self.outcome = outcome
        self.requestID = requestID
        self.client = client
        self.subject = subject
        self.userID = userID
        self.sessionID = sessionID
        self.address = address
        self.account = account
        self.reason = reason
        self.bearerSessionID = bearerSessionID
    }

    /// One line, without its end.
    package var line: String {
        let members: [(String, JSON?)] = [
            ("time", .string(ISOTime.text(time))), ("event", .string(action.rawValue)), ("outcome", .string(outcome)),
            ("reason", reason.map(JSON.string)), ("request_id", requestID.map(JSON.string)), ("client", client.map(JSON.string)),
            ("subject", subject.map(JSON.string)), ("user", userID.map(JSON.string)), ("sid", sessionID.map(JSON.string)),
            ("by_sid", bearerSessionID.map(JSON.string)), ("address", address.map(JSON.string)), ("account", account.map(JSON.string)),
        ]
        return JSON.object(members.compactMap { name, value in value.map { (name, $0) } }).text
    }
}

package enum AuditAction: String, Hashable, Sendable, CaseIterable {
    case captchaChallenge = "captcha.challenge"
    case captchaCheck = "captcha.check"
    case smsSend = "sms.send"
    case smsLogin = "login.sms"
    case sessionRefresh = "session.refresh"
    case logout = "session.logout"
    case sessionList = "session.list"
    case sessionEnd = "session.end"
    /// Beside the event of the request that brought it about.
    case sessionRevoked = "session.revoked"

    case adminUserAdd = "admin.user.add"
    case adminUserLock = "admin.user.lock"
    case adminUserUnlock = "admin.user.unlock"
    case adminUserDelete = "admin.user.delete"
    case adminUserExport = "admin.user.export"
    case adminClientAdd = "admin.client.add"
    case adminClientSet = "admin.client.set"
    case adminClientRemove = "admin.client.remove"
    case adminClientRotateKey = "admin.client.rotate_key"
    case adminKeysRotate = "admin.keys.rotate"
    case adminKeysRevoke = "admin.keys.revoke"
    case adminBackup = "admin.backup"
}
#endif
