#if HTTP
import Foundation
import IDaaSFlows
import JWTCore

/// Says who is logged in: in words, or as one JSON document. Tokens only in the latter.
struct SessionOutput {
    let isJSON: Bool

    init(_ isJSON: Bool) { self.isJSON = isJSON }

    func show(_ user: UserInfo, _ session: Session) {
        if isJSON { return line(SessionDocument(user: UserDocument(user), session: session)) }
        let output = Terminal.output
        output.line(output.styled("logged in", .good) + " as \(user.name ?? user.mobile ?? user.id)")
        for (name, value) in [("id", user.id), ("mobile", user.mobile), ("email", user.email)] {
            if let value { output.line("  \(output.styled(name, .name)): \(value)") }
        }
        let now = NumericDate(seconds: Int64(Date().timeIntervalSince1970))
        if let expiry = user.expiresAt {
            output.line("  \(output.styled("id_token", .name)) expires \(Times.words(NumericDate(seconds: expiry), now: now))")
        }
        if let expiry = session.expiresAt {
            output.line("  \(output.styled("session", .name)) expires \(Times.words(NumericDate(seconds: expiry), now: now))")
        }
    }

    func show(_ sessions: [SessionSummary]) {
        if isJSON { return line(sessions.map(SummaryDocument.init)) }
        let now = NumericDate(seconds: Int64(Date().timeIntervalSince1970))
        for session in sessions {
            let used = session.usedAt.map { Times.words(NumericDate(seconds: $0), now: now) } ?? "unknown"
            let mark = session.isCurrent ? Terminal.output.styled("  this one", .good) : ""
            Terminal.output.line("\(session.id)  \(session.deviceName ?? "a device")  last used \(used)\(mark)")
        }
    }

    func line(_ document: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(document) else { return }
        Terminal.output.line(String(decoding: text, as: UTF8.self))
    }

    private struct SessionDocument: Encodable {
        let user: UserDocument
        let session: Session
    }

    private struct UserDocument: Encodable {
        let id: String
        let name, mobile, userName, email, sid: String?
        let exp, iat, authTime: Int64?

        init(_ user: UserInfo) {
            id = user.id
            name = user.name
            mobile = user.mobile
            userName = user.userName
            email = user.email
            sid = user.sessionID
            exp = user.expiresAt
            iat = user.issuedAt
            authTime = user.authenticatedAt
        }
    }

    private struct SummaryDocument: Encodable {
        let id: String
        let device: String?
        let authTime, lastUsed, expires: Int64?
        let current: Bool

        init(_ session: SessionSummary) {
            id = session.id
            device = session.deviceName
            authTime = session.authenticatedAt
            lastUsed = session.usedAt
            expires = session.expiresAt
            current = session.isCurrent
        }
    }
}
#endif
