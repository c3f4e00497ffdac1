public import JWTCore

/// One member of `events`: what has happened.
public enum SecurityEvent: Hashable, Sendable {
    /// A session has ended (CAEP 1.0 section 3.1).
    ///
    /// - Parameter at: `event_timestamp`, if the event has it.
    case sessionRevoked(at: NumericDate?)
    /// Many sessions have ended together. The event is this project's own: one of CAEP is about one session, or all of one user.
    ///
    /// - Parameters:
    ///   - sessions: `sessions`, each the `sid` of its tokens.
    ///   - at: `event_timestamp`, if the event has it.
    case sessionsRevoked(sessions: [String], at: NumericDate?)
    /// A credential was made, changed, revoked or deleted (CAEP 1.0 section 3.3).
    ///
    /// - Parameters:
    ///   - type: `credential_type`, such as `password`.
    ///   - change: `change_type`, such as `update`.
    ///   - at: `event_timestamp`, if the event has it.
    case credentialChange(type: String, change: String, at: NumericDate?)
    /// The transmitter proves that the stream works (Shared Signals Framework 1.0 section 8.1.4).
    ///
    /// - Parameter state: what the receiver asked with, if it asked.
    case verification(state: String?)
    /// The stream was enabled, paused or disabled (Shared Signals Framework 1.0 section 8.1.5).
    case streamUpdated(status: String)
    /// An event of another type. It is acknowledged, and has no effect.
    case unknown(String)

    /// Whether it says nothing without a subject.
    var needsSubject: Bool {
        switch self {
        case .sessionRevoked, .credentialChange: true
        case .sessionsRevoked, .verification, .streamUpdated, .unknown: false
        }
    }
}

extension SecurityEvent {
    /// The names of the known events.
    public enum Name: String, CaseIterable, Sendable {
        case sessionRevoked = "https://schemas.openid.net/secevent/caep/event-type/session-revoked"
        case sessionsRevoked = "urn:assay:secevent:sessions-revoked"
        case credentialChange = "https://schemas.openid.net/secevent/caep/event-type/credential-change"
        case verification = "https://schemas.openid.net/secevent/ssf/event-type/verification"
        case streamUpdated = "https://schemas.openid.net/secevent/ssf/event-type/stream-updated"
    }
}
