/// The state of the session.
public enum SessionState: String, Hashable, Sendable, CaseIterable {
    /// There is no session.
    case signedOut
    /// The session is valid.
    case active
    /// The session is valid, but only in memory: it could not be stored, and storing is tried again.
    case unsaved
    /// The id_token is being replaced.
    case renewing
    /// The id_token is due and the server cannot be reached. The session is kept.
    case offline
    /// The session has expired. The user has to log in.
    case expired
    /// The server ended the session early. The user has to log in.
    case revoked
}

/// The outcome of requesting the session or refreshing it.
public enum SessionOutcome: FlowOutcome {
    /// The session, with an id_token that is not due.
    case active(Session)
    /// The session, with an id_token that is not due. It could not be stored: it is kept in memory, and storing is tried again.
    case unsaved(Session, FlowError)
    /// The stored session, because the server cannot be reached. Its id_token may have expired.
    case offline(Session, FlowError)
    /// The session has expired and was removed.
    case expired(FlowError)
    /// The server ended the session early. It was removed.
    case revoked(FlowError)
    /// There is no session.
    case signedOut
    /// The call failed. The session is kept.
    case failed(FlowError)

    public var failure: FlowError? {
        switch self {
        case .active, .unsaved: nil
        case .offline(_, let error), .expired(let error), .revoked(let error), .failed(let error): error
        case .signedOut: FlowError(.noSession)
        }
    }

    /// The session, even while offline.
    public var session: Session? {
        switch self {
        case .active(let session), .unsaved(let session, _), .offline(let session, _): session
        case .expired, .revoked, .signedOut, .failed: nil
        }
    }

    /// - Throws: why there is no session, or why it was not renewed.
    public func get() throws(FlowError) -> Session {
        if let failure { throw failure }
        guard let session else { throw FlowError(.noSession) }
        return session
    }

    /// The session's state after this outcome; nil means unchanged.
    var state: SessionState? {
        switch self {
        case .active: .active
        case .unsaved: .unsaved
        case .offline: .offline
        case .expired: .expired
        case .revoked: .revoked
        case .signedOut: .signedOut
        case .failed: nil
        }
    }
}
