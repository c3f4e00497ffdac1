/// The outcome of asking whether a login at a PC waits.
public enum PendingApprovalOutcome: FlowOutcome {
    case pending(PendingApproval)
    case none
    case failed(FlowError)

    /// `0`, `2` (nothing pending), the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .pending: "0"
        case .none: "2"
        case .failed(let error): error.biometricCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }
}

/// The outcome of answering a login at a PC.
public enum ApprovalOutcome: FlowOutcome {
    case answered
    /// The server refused without a reason.
    case refused
    case failed(FlowError)

    /// `0`; `2` (refused, or the user was not verified); `101` (a key that cannot sign); the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .answered: "0"
        case .refused: "2"
        case .failed(let error): error.biometric.map { $0.isOfKey ? "101" : "2" } ?? error.biometricCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }
}
