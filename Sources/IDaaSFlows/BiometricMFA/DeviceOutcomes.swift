/// The outcome of asking whether the user has bound a device.
public enum DeviceStatusOutcome: FlowOutcome {
    /// - Parameters:
    ///   - keyID: the server's name of the key, if it said so.
    ///   - at: seconds since 1970, by the server's clock.
    case bound(keyID: String?, at: Int64?)
    case notBound
    case failed(FlowError)

    /// `101` (bound), `102` (not bound), the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .bound: "101"
        case .notBound: "102"
        case .failed(let error): error.biometricCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }
}

/// The outcome of binding the device.
public enum DeviceBindOutcome: FlowOutcome {
    case bound
    /// The server refused without a reason.
    case refused
    case failed(FlowError)

    /// `0`; the local codes `2`, `5`, `6`, `7`, `8`, `9`, `102`, `110`; `101` (key); `104` (refused); the server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .bound: "0"
        case .refused: "104"
        case .failed(let error): error.biometric?.legacyCode ?? error.biometricCode
        }
    }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }
}

/// The outcome of unbinding the device.
public enum DeviceUnbindOutcome: FlowOutcome {
    case unbound
    /// The server refused without a reason.
    case refused
    /// This user was never bound on this device, so that there is no key to sign with.
    case unknownUser
    case failed(FlowError)

    /// `0`; the local codes `2`, `5`, `6`, `7`, `8`, `9`, `102`, `110`; `105` (refused, or a key that cannot sign); `1` (unknown user); the
    /// server's code, or `1`.
    public var legacyCode: String {
        switch self {
        case .unbound: "0"
        case .refused: "105"
        case .unknownUser: "1"
        case .failed(let error): error.biometric.map { $0.isOfKey ? "105" : $0.legacyCode } ?? error.biometricCode
        }
    }

    public var failure: FlowError? {
        switch self {
        case .unbound, .refused: nil
        case .unknownUser: FlowError(.biometric(.keyMissing))
        case .failed(let error): error
        }
    }
}
