/// Where a session stands.
public enum SessionState: String, Hashable, Sendable, CaseIterable {
    /// There is none.
    case signedOut
    case active
    /// The id_token is being replaced.
    case renewing
    /// The id_token should be replaced, and the server cannot be reached. The session is kept.
    case offline
    /// The session has come to its end. Somebody has to log in.
    case expired
    /// The server ended it before its time. Somebody has to log in.
    case revoked
}

/// What wanting the session, or refreshing it, ends in.
public enum SessionOutcome: FlowOutcome {
    /// The session, its id_token good for a while.
    case active(Session)
    /// The session as it was: the server cannot be reached. Its id_token may have expired.
    case offline(Session, FlowError)
    /// The session is over, and has been removed.
    case expired(FlowError)
    case revoked(FlowError)
    /// There is none.
    case signedOut
    /// The session was kept.
    case failed(FlowError)

    /// 0, or the server's code, or 1.
    public var legacyCode: String { failure?.legacyCode ?? "0" }

    public var failure: FlowError? {
        switch self {
        case .active: nil
        case .offline(_, let error), .expired(let error), .revoked(let error), .failed(let error): error
        case .signedOut: FlowError(.noSession)
        }
    }

    /// The session, also while offline.
    public var session: Session? {
        switch self {
        case .active(let session), .offline(let session, _): session
        case .expired, .revoked, .signedOut, .failed: nil
        }
    }

    /// - Throws: why there is no session, or none that was renewed.
    public func get() throws(FlowError) -> Session {
        if let failure { throw failure }
        guard let session else { throw FlowError(.noSession) }
        return session
    }

    /// What it says of the session's state; nil: nothing new.
    var state: SessionState? {
        switch self {
        case .active: .active
        case .offline: .offline
        case .expired: .expired
        case .revoked: .revoked
        case .signedOut: .signedOut
        case .failed: nil
        }
    }
}
