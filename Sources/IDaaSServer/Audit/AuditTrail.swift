internal import IDaaSWire
internal import JWTCore
internal import Locks

/// The details of a request for its audit event and its log line, collected while the request runs. All values are masked already.
package final class AuditTrail: Sendable {
    package struct Notes: Hashable, Sendable {
        package var client: String?
        package var subject: String?
        package var userID: String?
        package var sessionID: String?
        /// The session of the id_token in the request.
        package var bearerSessionID: String?
        package var revocation: SessionRevocation?
        /// What the request turned out to be, where its endpoint serves several; nil: the endpoint's own action.
        package var action: AuditAction?
    }

    private let state = Locked(Notes())

    package init() {}

    package var notes: Notes { state.withLock { $0 } }

    /// The client as the request claims it, without characters that could break a log.
    package func note(client: String) { state.withLock { $0.client = Self.plain(client) } }

    package func note(mobile: String) { state.withLock { $0.subject = Masked.mobile(mobile) } }

    package func note(token: String) { state.withLock { $0.subject = Masked.token(token) } }

    /// The key as it was typed.
    package func note(key: String) { state.withLock { $0.subject = Self.plain(key) } }

    package func note(user: User) {
        state.withLock {
            $0.subject = Masked.mobile(user.mobile)
            $0.userID = user.id
        }
    }

    private static func plain(_ text: String) -> String {
        Masked.numbers(in: String(text.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 }.map(Character.init)))
    }

    package func note(userID: String) { state.withLock { $0.userID = userID } }

    package func note(userID: String, sessionID: String) {
        state.withLock {
            $0.userID = userID
            $0.sessionID = sessionID
        }
    }

    package func note(_ session: StoredSession) { note(userID: session.user, sessionID: session.id) }

    /// The owner of the id_token, even if the request is about another session.
    package func note(_ bearer: Bearer) {
        state.withLock {
            $0.userID = bearer.userID
            $0.bearerSessionID = bearer.sid
        }
    }

    package func note(action: AuditAction) { state.withLock { $0.action = action } }

    package func note(_ revocation: SessionRevocation) { state.withLock { $0.revocation = revocation } }
}
