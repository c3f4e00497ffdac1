/// Why an authorisation in WeChat brought no code. The raw values are stable, for logs and counters.
public enum WeChatFailure: String, Error, Hashable, Sendable, CaseIterable {
    /// `WXErrCodeCommon`, -1, and any number that is not documented.
    case common
    /// `WXErrCodeUserCancel`, -2.
    case cancelled
    /// `WXErrCodeSentFail`, -3.
    case sendingFailed = "sending_failed"
    /// `WXErrCodeAuthDeny`, -4.
    case denied
    /// `WXErrCodeUnsupport`, -5.
    case unsupported
    /// There is no WeChat on this device: hide the button.
    case notInstalled = "not_installed"
    /// The callback has no state, another one, or one that was used: somebody else asked for it. Its code was not sent to the server.
    case stateMismatch = "state_mismatch"
    /// The callback came too late. Its code was not sent to the server.
    case stateExpired = "state_expired"

    /// - Parameter errorCode: the WeChat SDK's `errCode`.
    /// - Returns: nil for 0, success.
    public init?(errorCode: Int) {
        switch errorCode {
        case 0: return nil
        case -2: self = .cancelled
        case -3: self = .sendingFailed
        case -4: self = .denied
        case -5: self = .unsupported
        default: self = .common
        }
    }

    /// 102 where the user cancelled or denied, otherwise 103.
    public var legacyCode: String { self == .cancelled || self == .denied ? "102" : "103" }
}
