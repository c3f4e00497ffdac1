#if HTTP
import CommandProgram
import IDaaSFlows
import IDaaSWire
import JWTCore

/// Shows the logged-in user, as text or as one JSON document. Only the document has the tokens.
struct SessionOutput {
    let isJSON: Bool

    init(_ isJSON: Bool) { self.isJSON = isJSON }

    func show(_ user: UserInfo, _ session: Session) {
        let output = Terminal.output
        if isJSON {
            let user = UserDocument(
                id: user.id, name: user.name, mobile: user.mobile, userName: user.userName, email: user.email, sid: user.sessionID,
                exp: user.expiresAt, iat: user.issuedAt, authTime: user.authenticatedAt)
            return output.json(encoding: SessionDocument(user: user, session: session))
        }
        output.line(output.styled("logged in", .good) + " as \(printable(user.name ?? user.mobile ?? user.id))")
        for (name, value) in [("id", user.id), ("mobile", user.mobile), ("email", user.email)] {
            if let value { output.line("  \(output.styled(name, .name)): \(printable(value))") }
        }
        for (name, expiry) in [("id_token", user.expiresAt), ("session", session.expiresAt)] {
            if let expiry { output.line("  \(output.styled(name, .name)) expires \(Self.words(expiry))") }
        }
    }

    func show(_ sessions: [SessionSummary]) {
        if isJSON {
            return Terminal.output.json(
                encoding: sessions.map {
                    SummaryDocument(
                        id: $0.id, device: $0.deviceName, authTime: $0.authenticatedAt, lastUsed: $0.usedAt, expires: $0.expiresAt,
                        current: $0.isCurrent)
                })
        }
        for session in sessions {
            let used = session.usedAt.map(Self.words) ?? "unknown"
            let mark = session.isCurrent ? Terminal.output.styled("  this one", .good) : ""
            let device = printable(session.deviceName ?? "unnamed device", upTo: 64)
            Terminal.output.line("\(printable(session.id, upTo: 64))  \(device)  last used \(used)\(mark)")
        }
    }

    private static func words(_ seconds: Int64) -> String {
        Times.words(NumericDate(seconds: seconds), now: SystemClock().now)
    }

    private struct SessionDocument: Encodable {
        let user: UserDocument
        let session: Session
    }

    private struct UserDocument: Encodable {
        let id: String
        let name, mobile, userName, email, sid: String?
        let exp, iat, authTime: Int64?
    }

    private struct SummaryDocument: Encodable {
        let id: String
        let device: String?
        let authTime, lastUsed, expires: Int64?
        let current: Bool
    }
}
#endif
