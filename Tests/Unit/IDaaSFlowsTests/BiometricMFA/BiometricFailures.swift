import IDaaSFlows

/// The phone's own reasons with their documented codes and texts.
enum BiometricFailures {
    static let documented: [(BiometricFailure, code: String, english: String, chinese: String)] = [
        (.unsupported, "2", "Fingerprint verification not supported", "不支持指纹验证"),
        (.notEnrolled, "5", "Biometric recognition supported but not set up", "支持生物识别但是没有设置"),
        (
            .passcodeNotSet, "6", "Lock screen password not set, in the absence of biometric recognition",
            "锁屏密码没有设置,当生物识别没有的情况下"
        ),
        (.lockedOut, "7", "Biometric recognition is locked", "生物识别被锁住了"),
        (.cancelled, "8", "User canceled biometric recognition", "用户取消了生物识别"),
        (.failed, "110", "Biometric recognition failed", "生物识别失败"),
        (.interrupted, "102", "Biometric recognition canceled by pressing the home button", "按下home键取消了生物识别"),
    ]
}
