internal import HTTPEdge

/// One authentication step in the audit trail (sentence 55), or one administration operation.
package struct AuditEvent: Hashable, Sendable {
    package let time: Timestamp
    package let action: AuditAction
    /// `ok`, or the code of the error.
    package let outcome: String
    /// Nil if no request caused the event.
    package let requestID: String?
    package let client: String?
    /// A masked number, or the first digits of a token's hash.
    package let subject: String?
    package let userID: String?
    /// The session of the event.
    package let sessionID: String?
    package let address: String?
    /// The operating system account of the administrator.
    package let account: String?
    /// The reason, if no request caused the event.
    package let reason: String?
    /// The session of the caller's id_token.
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

    /// One line, without its line end.
    package var line: String {
        let values = [
            ISOTime.text(time), action.rawValue, outcome, reason, requestID, client, subject, userID, sessionID, bearerSessionID, address,
            account,
        ]
        return JSON.object(present: zip(Self.memberNames, values).map { ($0, $1.map(JSON.string)) }).text
    }

    /// The members of a line, in their order.
    static let memberNames = [
        "time", "event", "outcome", "reason", "request_id", "client", "subject", "user", "sid", "by_sid", "address", "account",
    ]
}

package enum AuditAction: String, Hashable, Sendable, CaseIterable {
    case captchaChallenge = "captcha.challenge"
    case captchaCheck = "captcha.check"
    case smsSend = "sms.send"
    case smsLogin = "login.sms"
    case wechatLogin = "login.wechat"
    case wechatBind = "wechat.bind"
    case wechatRegister = "wechat.register"
    case oneClickLogin = "login.one_click"
    case passwordLogin = "login.password"
    case secondFactorSMS = "second_factor.sms"
    case bindChallenge = "phone.challenge"
    case phoneBind = "phone.bind"
    case phoneUnbind = "phone.unbind"
    case approvalRequest = "approval.request"
    case approvalAnswer = "approval.answer"
    case approvalPoll = "approval.poll"
    case authorizationEnd = "authorization.end"
    /// The user has refused what an application asks for.
    case authorizationDenial = "authorization.denial"
    case codeExchange = "authorization.code"
    case grantRefresh = "authorization.refresh"
    case clientRegistration = "client.registration"
    case browserLogout = "session.browser_logout"
    case sessionRefresh = "session.refresh"
    case logout = "session.logout"
    case sessionList = "session.list"
    case sessionEnd = "session.end"
    /// Recorded beside the event of the request that caused it.
    case sessionRevoked = "session.revoked"

    case adminUserAdd = "admin.user.add"
    case adminUserLock = "admin.user.lock"
    case adminUserUnlock = "admin.user.unlock"
    case adminUserDelete = "admin.user.delete"
    case adminUserPassword = "admin.user.password"
    case adminUserUnbind = "admin.user.unbind"
    case adminUserExport = "admin.user.export"
    case adminClientAdd = "admin.client.add"
    case adminClientSet = "admin.client.set"
    case adminClientRemove = "admin.client.remove"
    case adminClientRotateKey = "admin.client.rotate_key"
    case adminStreamAdd = "admin.stream.add"
    case adminStreamSet = "admin.stream.set"
    case adminStreamRotateSecret = "admin.stream.rotate_secret"
    case adminStreamRemove = "admin.stream.remove"
    case adminStreamVerify = "admin.stream.verify"
    case adminKeysRotate = "admin.keys.rotate"
    case adminKeysRevoke = "admin.keys.revoke"
    case adminBackup = "admin.backup"
}
