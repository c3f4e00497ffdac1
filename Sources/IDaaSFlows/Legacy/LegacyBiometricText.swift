internal import IDaaSWire

/// The documents' texts of the biometric callbacks.
enum LegacyBiometricText {
    case alreadyBound, notBound
    case bindingSucceeded, bindingFailed
    case unbindingSucceeded, unbindingFailed
    case nothingPending
    case authenticationSucceeded, authenticationFailed
    /// The documents' sample shows this where an app has no id_token.
    case loginExpired

    func text(in language: Language) -> String {
        switch self {
        case .alreadyBound: language.choose("Already bound", "已绑定")
        case .notBound: language.choose("Not bound", "未绑定")
        case .bindingSucceeded: language.choose("Binding successful", "绑定成功")
        case .bindingFailed: language.choose("Binding failed", "绑定失败")
        case .unbindingSucceeded: language.choose("Unbind successful", "解绑成功")
        case .unbindingFailed: language.choose("Unbind failed", "解绑失败")
        case .nothingPending: language.choose("There is currently no secondary authentication that needs to be completed", "目前没有二次认证需要被完成")
        case .authenticationSucceeded: language.choose("Secondary authentication successful", "二次认证成功")
        case .authenticationFailed: language.choose("Secondary authentication failed", "二次认证失败")
        case .loginExpired: language.choose("Login expired, please log in again", "登录失效,请重新登录")
        }
    }
}

extension Flows {
    func text(_ text: LegacyBiometricText) -> LegacyData { .text(text.text(in: configuration.language)) }
}
