/// The outcome of a login with WeChat's code.
public enum WeChatCodeOutcome: FlowOutcome {
    /// The WeChat account has a user.
    case loggedIn(Session)
    /// It has none: register a number with it.
    case register(BindingStep)
    /// It has none: bind it to the user of a number.
    case bind(BindingStep)
    /// The server refuses with another status. No session began.
    case other(status: String, stateToken: String?)
    case failed(FlowError)

    /// `0`, `101` (bind or register), or `1`. The documents put the server's code beside `1`, not in its place.
    public var legacyCode: String {
        switch self {
        case .loggedIn: "0"
        case .register, .bind: "101"
        case .other, .failed: "1"
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    /// The step that follows, if one does.
    public var step: BindingStep? {
        switch self {
        case .register(let step), .bind(let step): step
        case .loggedIn, .other, .failed: nil
        }
    }
}

/// The outcome of the login through WeChat in one call.
public enum WeChatLoginOutcome: FlowOutcome {
    case loggedIn(Session)
    /// The user cancelled or denied in WeChat.
    case cancelled
    /// WeChat failed, or the callback is of somebody else's request.
    case refused(WeChatFailure)
    /// The user left the page for binding or registration, after authorising.
    case backPressed
    /// The server refuses with another status. No session began.
    case other(status: String, stateToken: String?)
    case failed(FlowError)

    /// `0`, `102` (cancelled), `103` (WeChat failed), `104` (back), the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .loggedIn: "0"
        case .cancelled: "102"
        case .refused(let failure): failure.legacyCode
        case .backPressed: "104"
        case .other: "1"
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? {
        switch self {
        case .refused(let failure): FlowError(.weChat(failure))
        case .failed(let error): error
        case .loggedIn, .cancelled, .backPressed, .other: nil
        }
    }

    /// - Throws: `cancelled` if the user left; `unexpectedAnswer` for another status.
    public func get() throws(FlowError) -> Session {
        switch self {
        case .loggedIn(let session): return session
        case .cancelled, .backPressed: throw FlowError(.cancelled)
        case .other: throw FlowError(.unexpectedAnswer(status: 200))
        case .refused(let failure): throw FlowError(.weChat(failure))
        case .failed(let error): throw error
        }
    }

    init(_ outcome: LoginOutcome) {
        switch outcome {
        case .loggedIn(let session): self = .loggedIn(session)
        case .other(let status, let stateToken): self = .other(status: status, stateToken: stateToken)
        case .failed(let error): self = .failed(error)
        }
    }
}
