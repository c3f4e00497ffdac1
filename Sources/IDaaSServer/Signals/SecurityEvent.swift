internal import IDaaSWire

/// The claims set of a security event token (RFC 8417), as SSF 1.0 and CAEP 1.0 have it.
struct SecurityEvent {
    var issuer: String
    var audience: String
    var issued: Timestamp
    var signal: StoredSignal

    /// `typ` (RFC 8417 section 2.3).
    static let type = "secevent+jwt"

    /// Without `exp` and `sub`: no other token may be taken for it (RFC 8417 section 4.5, SSF 1.0 section 4.1.2).
    var json: JSON {
        [
            "iss": .string(issuer), "jti": .string(signal.tokenID), "iat": .integer(issued.seconds), "aud": .string(audience),
            "sub_id": subject, "events": [name: content],
        ]
    }

    private var name: String {
        switch signal.signal.event {
        case .sessionRevoked: SecurityEventName.sessionRevoked
        case .sessionsRevoked: SecurityEventName.sessionsRevoked
        case .credentialChange: SecurityEventName.credentialChange
        case .verification: SecurityEventName.verification
        }
    }

    /// SSF 1.0 section 3.2: a session and its user, or the user alone. A verification is about its stream (SSF 1.0 section 8.1.4.1), and so are
    /// sessions that have no user in common.
    private var subject: JSON {
        switch signal.signal.event {
        case .sessionRevoked(let user, let session?, _):
            ["format": "complex", "user": person(user), "session": ["format": "opaque", "id": .string(session)]]
        case .sessionRevoked(let user, nil, _), .credentialChange(let user, _, _, _): ["format": "complex", "user": person(user)]
        case .sessionsRevoked, .verification: ["format": "opaque", "id": .string(signal.stream)]
        }
    }

    /// RFC 9493 section 3.2.3: `iss` and `sub` of the user's id_tokens.
    private func person(_ user: String) -> JSON { ["format": "iss_sub", "iss": .string(issuer), "sub": .string(user)] }

    private var content: JSON {
        let second = signal.signal.at.seconds
        switch signal.signal.event {
        // Of a whole user too: a receiver refuses what was issued up to the end of this second.
        case .sessionRevoked(_, _, let initiator): return Self.content(second, initiator)
        case .sessionsRevoked(let sessions, let initiator):
            return Self.content(second, initiator, [("sessions", .array(sessions.map(JSON.string)))])
        case .credentialChange(_, let credential, let change, let initiator):
            return Self.content(
                second, initiator, [("credential_type", .string(credential.rawValue)), ("change_type", .string(change.rawValue))])
        case .verification(let state): return ["state": .string(state)]
        }
    }

    private static func content(_ second: Int64, _ initiator: Signal.Initiator, _ members: [(String, JSON)] = []) -> JSON {
        .object([("event_timestamp", .integer(second)), ("initiating_entity", .string(initiator.rawValue))] + members)
    }
}

/// The members of `events`.
package enum SecurityEventName {
    package static let sessionRevoked = "https://schemas.openid.net/secevent/caep/event-type/session-revoked"
    /// This project's own, for receivers that ask for it.
    package static let sessionsRevoked = "urn:assay:secevent:sessions-revoked"
    package static let credentialChange = "https://schemas.openid.net/secevent/caep/event-type/credential-change"
    package static let verification = "https://schemas.openid.net/secevent/ssf/event-type/verification"
}
