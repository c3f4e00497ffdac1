/// What a login ends in.
public enum LoginOutcome: FlowOutcome {
    case loggedIn(Session)
    /// The server wants something else first, or refuses by a status: `MFA_AUTH`, `PASSWORD_WARN`, `ACCESS_DENIED` … No session was begun.
    case other(status: String, stateToken: String?)
    case failed(FlowError)

    /// 0, 1 with a text, or the server's code. The documents know no code for another status; here it is 1.
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
