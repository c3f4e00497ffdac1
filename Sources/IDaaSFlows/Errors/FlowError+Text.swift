public import IDaaSWire
internal import JWKSCache
internal import JWTCore

extension FlowError: CustomStringConvertible {
    /// In English, with the request's id.
    public var description: String { text(in: .english) + (requestID.map { " [request \($0)]" } ?? "") }

    /// One sentence for the user.
    public func text(in language: Language) -> String {
        switch reason {
        case .service(let refusal): refusal.text(in: language)
        case .configuration(let detail): language.choose("The configuration cannot work: \(detail)", "配置错误:\(detail)")
        case .missingInput(let name): ServiceCode.missingParameter.text(in: language, [name])
        case .invalidInput(let name): ServiceCode.invalidFormat.text(in: language, [name])
        case .unexpectedAnswer(let status):
            language.choose("The server's answer is not of the protocol (status \(status))", "服务器返回了无法识别的内容(状态码 \(status))")
        case .transport(let failure):
            language.choose("The server cannot be reached (\(failure.reason.rawValue))", "无法连接服务器(\(failure.reason.rawValue))")
        case .store(let failure):
            language.choose("The session cannot be stored (\(failure.reason.rawValue))", "会话无法存储(\(failure.reason.rawValue))")
        case .noSession: language.choose("Nobody is logged in", "未登录")
        case .unusablePublicKey: language.choose("The application's public key is unusable", "应用公钥无法使用")
        case .token(let error): language.choose("The id_token is refused: \(error.code.summary)", "id_token 无效(\(error.code.name))")
        case .biometric(let failure): failure.text(in: language)
        case .weChat(let failure): language.choose("WeChat gave no authorisation (\(failure.rawValue))", "微信授权失败(\(failure.rawValue))")
        case .carrier(let failure): failure.text(in: language)
        case .cancelled: language.choose("Cancelled", "已取消")
        }
    }
}
