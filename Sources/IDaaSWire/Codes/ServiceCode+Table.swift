extension ServiceCode {
    /// The data of a code in the documents' table.
    private struct Row {
        let english: String
        let chinese: String
        let status: Int
        let isDocumented: Bool

        init(_ english: String, _ chinese: String, status: Int = 400, isDocumented: Bool = true) {
            self.english = english
            self.chinese = chinese
            self.status = status
            self.isDocumented = isDocumented
        }
    }

    /// The HTTP status of a refusal with this code.
    public var status: Int { row.status }

    /// Whether the SDK documents list the code. This project defines the others.
    public var isDocumented: Bool { row.isDocumented }

    /// The text with its placeholders, `{0}`, `{1}`.
    public func template(in language: Language) -> String { language.choose(row.english, row.chinese) }

    /// The text, with `arguments` for `{0}`, `{1}`. A missing argument leaves its place empty.
    public func text(in language: Language, _ arguments: [String] = []) -> String {
        var text = ""
        var rest = template(in: language)[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            if let place = Int(rest[rest.index(after: open)..<close]), arguments.indices.contains(place) { text += arguments[place] }
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The documents' texts verbatim, including their mistakes.
    private var row: Row {
        switch self {
        case .missingParameter: Row("Parameter {0} cannot be left blank", "参数 {0} 不能为空")
        case .invalidFormat: Row("The {0} parameter format is incorrect", "参数 {0} 格式错误")
        case .incompleteDevice: Row("Device information is incomplete", "设备信息不完整")
        case .undecryptableSignature: Row("Signature decryption error", "签名解密错误")
        case .expired: Row("The {0} has failed", "{0} 已失效")
        case .invalidParameter: Row("The {0} parameter error", "{0} 参数错误")
        case .invalidType: Row("The {0} parameter type error", "{0}参数类型错误")
        case .systemBusy: Row("The system is busy. Try again later", "系统繁忙。稍后再试", status: 500)
        case .unknownConfiguration: Row("Unknown authentication configuration", "未知的认证配置")
        case .enterpriseConfiguration: Row("Failed to obtain the enterprise center global configuration", "获取企业中心全局配置失败")
        case .areaCodeConfiguration: Row("Failed to obtain the international area code configuration", "获取国际区号配置失败")
        case .unknownClient: Row("The x-client-ID is incorrect and the corresponding application cannot be found", "X-client-id错误,找不到对应的应用")
        case .unknownUser: Row("The corresponding user is not found", "未找到对应的用户")
        case .missingApplicationKey: Row("Application private key not found", "未找到应用私钥")
        case .interfaceFailed: Row("Error calling interface {0}", "调用 {0} 接口出错")
        case .userNotBound: Row("User not bound", "用户未绑定")
        case .locked:
            Row(
                "The user has been locked due to too many unsuccessful login attempts. It will be unlocked in {0} minutes and {1} seconds",
                "由于多次登录失败,用户已被锁定。 它将在 {0} 分钟和 {1} 秒内解锁")
        case .passwordPolicy: Row("Failed to obtain the password policy", "获取密码策略错误")
        case .invalidPassword: Row("Invalid username or password. Remaining login attempts: {0}", "无效的用户名或密码。 其余登录尝试次数:{0}")
        case .wechatSource: Row("Configuration error, unable to find wechat authentication source", "配置错误,找不到微信认证源")
        case .alipaySource: Row("Configuration error, unable to find alipay authentication source", "配置错误,找不到支付宝认证源")
        case .oneClickSource:
            Row(
                "The configuration is incorrect. The one-click login authentication source cannot be found",
                "配置错误,无法找到一键登录认证源")
        case .sliderPicture: Row("{0} slide base map is not initialized successfully, please check the path", "{0} 滑动底图未初始化成功,请检查路径")
        case .sliderUnreadable: Row("{0} verification code coordinate resolution failed", "{0} 验证码坐标解析失败")
        case .sliderMismatch: Row("{0} verification code coordinate verification fails", "{0} 验证码坐标校验失败")
        case .captchaIncorrect: Row("The graphic verification code is incorrect", "图形验证码校验错误")
        case .smsCodeIncorrect: Row("SMS verification code verification is incorrect", "短信验证码验证错误")
        case .emailCodeIncorrect: Row("The email verification code is incorrect", "邮件验证码验证错误")
        case .unknownScenario: Row("Sending scenario does not exist", "发送场景不存在")
        case .sendingFailed: Row("Failed to send the verification code", "发送验证码失败")
        case .socialUnbind: Row("The social account is unbound incorrectly", "社交账号解绑错误")
        case .socialBound: Row("The social account has been bound, please unbind it first", "社交账号已绑定,请先解绑")
        case .passwordLength: Row("The password length is incorrect", "密码长度错误")
        case .passwordIsUserName: Row("The password cannot be the username", "密码不能为用户名")
        case .passwordComplexity: Row("Your password complexity is low", "你的密码复杂度过低")
        case .passwordWeak: Row("The password is weak", "密码很弱")
        case .passwordUsedBefore: Row("The password is used before, cannot be used again", "该密码已被使用过,不能再次使用")
        case .passwordIsReversedUserName: Row("Password cannot username in reverse order", "密码不能是用户名的倒序")
        case .passwordRepeats: Row("The number of repeated password characters exceeded the upper limit", "密码重复字符数超过限制")
        case .passwordContainsUser:
            Row(
                "Password cannot contain :username, phone number, email prefix, name in PinYing",
                "密码不能包含:用户名、电话号码、邮件前缀、拼音名")
        case .mobileMismatch: Row("The mobile doesn't match the user", "手机号和用户不匹配")
        case .accessPolicy: Row("The access control policy is incorrect", "访问控制策略配置错误")
        case .accessSource: Row("Access control authentication source type conversion error", "访问控制身份验证源类型转换错误")
        case .rateLimited: Row("Too many requests. Try again in {0} seconds", "请求过于频繁,请在 {0} 秒后重试", status: 429, isDocumented: false)
        case .deviceBound: Row("The device is already bound", "设备已绑定", isDocumented: false)
        case .deviceNotBound: Row("The device is not bound", "设备未绑定", isDocumented: false)
        case .noPendingRequest: Row("There is no pending request", "没有待处理的请求", isDocumented: false)
        case .requestExpired: Row("The request has expired", "请求已过期", isDocumented: false)
        case .requestDenied: Row("The request was denied", "请求已被拒绝", isDocumented: false)
        case .signatureInvalid: Row("The signature is invalid", "签名无效", isDocumented: false)
        case .authorizationPending: Row("The request has not been answered yet", "请求尚未得到响应", isDocumented: false)
        case .pollingTooFast: Row("The result is polled too often", "查询结果过于频繁", isDocumented: false)
        case .matchCodeIncorrect: Row("The match code is incorrect", "匹配数字错误", isDocumented: false)
        case .mobileBoundElsewhere: Row("The mobile is bound to another social account", "手机号已绑定其他社交账号", isDocumented: false)
        }
    }
}
