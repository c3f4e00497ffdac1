public import IDaaSWire

/// Why the phone did not verify its user, or did not sign.
public enum BiometricFailure: Error, Hashable, Sendable {
    /// The phone has neither face nor fingerprint recognition.
    case unsupported
    /// No face and no finger is enrolled.
    case notEnrolled
    /// The lock screen has no passcode.
    case passcodeNotSet
    /// Locked after too many attempts.
    case lockedOut
    /// The user cancelled.
    case cancelled
    /// The face or the finger was not recognised.
    case failed
    /// The system cancelled, for example because the user left the app.
    case interrupted
    /// Any other reason of the system, as its text.
    case other(String)
    /// A face or a finger was enrolled after the key was made. The key is void, and the device has to be bound again.
    case keyInvalidated
    /// This user has no key here.
    case keyMissing
    /// The key cannot be made, stored or read, or cannot sign.
    case keyUnusable

    /// Whether the key is the reason, not the user.
    public var isOfKey: Bool { [.keyInvalidated, .keyMissing, .keyUnusable].contains(self) }

    /// The documents' code: of the type check, and of the local errors of binding and unbinding.
    public var legacyCode: String {
        switch self {
        case .unsupported: "2"
        case .notEnrolled: "5"
        case .passcodeNotSet: "6"
        case .lockedOut: "7"
        case .cancelled: "8"
        case .other: "9"
        case .failed: "110"
        case .interrupted: "102"
        case .keyInvalidated, .keyMissing, .keyUnusable: "101"
        }
    }

    /// The documents' text. Theirs for `101` speaks of an RSA key, which does not exist.
    public func text(in language: Language) -> String {
        switch self {
        case .unsupported: language.choose("Fingerprint verification not supported", "不支持指纹验证")
        case .notEnrolled: language.choose("Biometric recognition supported but not set up", "支持生物识别但是没有设置")
        case .passcodeNotSet:
            language.choose("Lock screen password not set, in the absence of biometric recognition", "锁屏密码没有设置,当生物识别没有的情况下")
        case .lockedOut: language.choose("Biometric recognition is locked", "生物识别被锁住了")
        case .cancelled: language.choose("User canceled biometric recognition", "用户取消了生物识别")
        case .failed: language.choose("Biometric recognition failed", "生物识别失败")
        case .interrupted: language.choose("Biometric recognition canceled by pressing the home button", "按下home键取消了生物识别")
        case .other(let reason): reason
        case .keyInvalidated:
            language.choose("A face or a finger was enrolled since the binding. Bind the device again", "绑定后生物识别信息已变更,请重新绑定设备")
        case .keyMissing: language.choose("This user has no key on this device", "本机没有该用户的密钥")
        case .keyUnusable: language.choose("Signature method error, please contact administrator", "签名方法出错,请联系管理员")
        }
    }
}
