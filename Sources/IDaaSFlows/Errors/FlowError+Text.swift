internal import JWTCore

extension FlowError: CustomStringConvertible {
    /// In English, with the request's id.
    public var description: String { text(in: .english) + (requestID.map { " [request \($0)]" } ?? "") }

    /// One sentence for a person.
    public func text(in language: FlowLanguage) -> String {
        switch (reason, language) {
        case (.service(let refusal), _): refusal.text(in: language)
        case (.configuration(let detail), .english): "The configuration cannot work: \(detail)"
        case (.configuration(let detail), .chinese): "配置错误:\(detail)"
        case (.missingInput(let name), _): ServiceCode.missingParameter.text(in: language, [name])
        case (.invalidInput(let name), _): ServiceCode.invalidFormat.text(in: language, [name])
        case (.unexpectedAnswer(let status), .english): "The server answered with something unexpected (status \(status))"
        case (.unexpectedAnswer(let status), .chinese): "服务器返回了无法识别的内容(状态码 \(status))"
        case (.transport(let failure), .english): "The server cannot be reached (\(failure.reason.rawValue))"
        case (.transport(let failure), .chinese): "无法连接服务器(\(failure.reason.rawValue))"
        case (.store(let failure), .english): "The session cannot be stored (\(failure.reason.rawValue))"
        case (.store(let failure), .chinese): "会话无法存储(\(failure.reason.rawValue))"
        case (.noSession, .english): "Nobody is logged in"
        case (.noSession, .chinese): "未登录"
        case (.unusablePublicKey, .english): "The application's public key cannot be used"
        case (.unusablePublicKey, .chinese): "应用公钥无法使用"
        case (.token(let error), .english): "The id_token is refused: \(error.code.summary)"
        case (.token(let error), .chinese): "id_token 无效(\(error.code.name))"
        case (.cancelled, .english): "Cancelled"
        case (.cancelled, .chinese): "已取消"
        }
    }
}
