/// What happens while the page of one-click login is open. The last event is `login`, `switchMethod`, `cancelled` or `failed`; the page is
/// closed then.
public enum OneClickEvent: Hashable, Sendable {
    case pageShown
    case consentChanged(Bool)
    /// The user pressed the button without consent. No token was requested.
    case consentRequired
    case agreementOpened
    /// The user agreed and pressed the button: the token for ``OneClickLogin/logIn(_:nonce:)``.
    case login(CarrierToken)
    case switchMethod
    case cancelled
    case failed(CarrierFailure)

    /// The result code of the SDK document; nil where its callback is not called.
    public var legacyCode: String? {
        switch self {
        case .pageShown: "6666"
        case .consentChanged, .consentRequired, .agreementOpened: nil
        case .login: "6668"
        case .switchMethod: "6669"
        case .cancelled: "6667"
        case .failed(let failure): failure.legacyCode
        }
    }

    /// How else the user can log in; nil while the page is open, and with a token. The caller chooses whether to offer it.
    public var fallback: LoginFallback? {
        switch self {
        case .pageShown, .consentChanged, .consentRequired, .agreementOpened, .login: nil
        case .switchMethod, .cancelled, .failed: .sms
        }
    }

    /// Whether the page is closed after it.
    public var isLast: Bool {
        switch self {
        case .pageShown, .consentChanged, .consentRequired, .agreementOpened: false
        case .login, .switchMethod, .cancelled, .failed: true
        }
    }
}

/// Another way to log in.
public enum LoginFallback: String, Hashable, Sendable, CaseIterable {
    /// ``Flows/sms``
    case sms
}

/// The outcome of the check or of the pre-fetch.
public enum CarrierOutcome: FlowOutcome {
    case ready
    case failed(CarrierFailure)

    /// The result code of the SDK document: `6666`, or why not.
    public var legacyCode: String { if case .failed(let failure) = self { failure.legacyCode } else { "6666" } }

    public var failure: FlowError? { if case .failed(let failure) = self { FlowError(.carrier(failure)) } else { nil } }

    /// How else the user can log in.
    public var fallback: LoginFallback? { if case .failed = self { .sms } else { nil } }
}

/// The outcome of one-click login in one call.
public enum OneClickOutcome: FlowOutcome {
    case loggedIn(Session)
    /// The user wants another method.
    case switchMethod
    /// The user left the page.
    case cancelled
    /// The carrier gave no token.
    case refused(CarrierFailure)
    /// The server refuses with another status. No session began.
    case other(status: String, stateToken: String?)
    case failed(FlowError)

    /// The result code of the SDK document where the carrier's part decided: `6667` (back), `6669` (another method), or its failure. Then as
    /// for other logins: `0`, the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .loggedIn: "0"
        case .switchMethod: "6669"
        case .cancelled: "6667"
        case .refused(let failure): failure.legacyCode
        case .other: "1"
        case .failed(let error): error.legacyCode
        }
    }

    public var failure: FlowError? {
        switch self {
        case .refused(let failure): FlowError(.carrier(failure))
        case .failed(let error): error
        case .loggedIn, .switchMethod, .cancelled, .other: nil
        }
    }

    /// How else the user can log in; nil after a login. The caller chooses whether to offer it.
    public var fallback: LoginFallback? { if case .loggedIn = self { nil } else { .sms } }
}
