/// The outcome of a login.
public enum LoginOutcome: FlowOutcome {
    case loggedIn(Session)
    /// The server demands another step or refuses with a status: `MFA_AUTH`, `PASSWORD_WARN`, `ACCESS_DENIED` … No session began.
    case other(status: String, stateToken: String?)
    case failed(FlowError)

    /// `0`, `1` or the server's code. The documents have no code for another status; it is `1` here.
    public var legacyCode: String {
        switch self {
        case .loggedIn: "0"
        case .other: "1"
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    /// - Throws: `unexpectedAnswer` for another status.
    public func get() throws(FlowError) -> Session {
        switch self {
        case .loggedIn(let session): return session
        case .other: throw FlowError(.unexpectedAnswer(status: 200))
        case .failed(let error): throw error
        }
    }
}
