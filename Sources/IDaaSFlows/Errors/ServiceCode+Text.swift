extension ServiceCode {
    /// The catalogue's text, its placeholders filled as far as there are arguments.
    public func text(in language: FlowLanguage, _ arguments: [String] = []) -> String {
        var text = template(in: language)
        for (index, argument) in arguments.enumerated() { text = text.replacing("{\(index)}", with: argument) }
        return text
    }

    /// The catalogue's text with its placeholders `{0}`, `{1}`.
    public func template(in language: FlowLanguage) -> String { language == .english ? texts.english : texts.chinese }

    private var texts: (english: String, chinese: String) {
        switch self {
        case .missingParameter: ("Parameter {0} cannot be left blank", "参数 {0} 不能为空")
        case .invalidFormat: ("The {0} parameter format is incorrect", "参数 {0} 格式错误")
        case .incompleteDevice: ("Device information is incomplete", "设备信息不完整")
        case .undecryptableSignature: ("Signature decryption error", "签名解密错误")
        case .expired: ("The {0} has failed", "{0} 已失效")
        case .invalidParameter: ("The {0} parameter error", "{0} 参数错误")
        case .invalidType: ("The {0} parameter type error", "{0}参数类型错误")
        case .systemBusy: ("The system is busy. Try again later", "系统繁忙。稍后再试")
        case .unknownConfiguration: ("Unknown authentication configuration", "未知的认证配置")
        case .enterpriseConfiguration: ("Failed to obtain the enterprise center global configuration", "获取企业中心全局配置失败")
        case .areaCodeConfiguration: ("Failed to obtain the international area code configuration", "获取国际区号配置失败")
        case .unknownClient:
            (
                "The x-client-ID is incorrect and the corresponding application cannot be found",
                "X-client-id错误,找不到对应的应用"
            )
        case .unknownUser: ("The corresponding user is not found", "未找到对应的用户")
        case .missingApplicationKey: ("Application private key not found", "未找到应用私钥")
        case .interfaceFailed: ("Error calling interface {0}", "调用 {0} 接口出错")
        case .userNotBound: ("User not bound", "用户未绑定")
        case .locked:
            (
                "The user has been locked due to too many unsuccessful login attempts. It will be unlocked in {0} minutes and {1} seconds",
                "由于多次登录失败,用户已被锁定。 它将在 {0} 分钟和 {1} 秒内解锁"
            )
        case .passwordPolicy: ("Failed to obtain the password policy", "获取密码策略错误")
        case .invalidPassword:
            (
                "Invalid username or password. Remaining login attempts: {0}",
                "无效的用户名或密码。 其余登录尝试次数:{0}"
            )
        case .wechatSource: ("Configuration error, unable to find wechat authentication source", "配置错误,找不到微信认证源")
        case .alipaySource: ("Configuration error, unable to find alipay authentication source", "配置错误,找不到支付宝认证源")
        case .oneClickSource:
            (
                "The configuration is incorrect. The one-click login authentication source cannot be found",
                "配置错误,无法找到一键登录认证源"
            )
        case .sliderPicture:
            (
                "{0} slide base map is not initialized successfully, please check the path",
                "{0} 滑动底图未初始化成功,请检查路径"
            )
        case .sliderUnreadable: ("{0} verification code coordinate resolution failed", "{0} 验证码坐标解析失败")
        case .sliderMismatch: ("{0} verification code coordinate verification fails", "{0} 验证码坐标校验失败")
        case .captchaIncorrect: ("The graphic verification code is incorrect", "图形验证码校验错误")
        case .smsCodeIncorrect: ("SMS verification code verification is incorrect", "短信验证码验证错误")
        case .emailCodeIncorrect: ("The email verification code is incorrect", "邮件验证码验证错误")
        case .unknownScenario: ("Sending scenario does not exist", "发送场景不存在")
        case .sendingFailed: ("Failed to send the verification code", "发送验证码失败")
        case .socialUnbind: ("The social account is unbound incorrectly", "社交账号解绑错误")
        case .socialBound: ("The social account has been bound, please unbind it first", "社交账号已绑定,请先解绑")
        case .passwordLength: ("The password length is incorrect", "密码长度错误")
        case .passwordIsUserName: ("The password cannot be the username", "密码不能为用户名")
        case .passwordComplexity: ("Your password complexity is low", "你的密码复杂度过低")
        case .passwordWeak: ("The password is weak", "密码很弱")
        case .passwordUsedBefore: ("The password is used before, cannot be used again", "该密码已被使用过,不能再次使用")
        case .passwordIsReversedUserName: ("Password cannot username in reverse order", "密码不能是用户名的倒序")
        case .passwordRepeats: ("The number of repeated password characters exceeded the upper limit", "密码重复字符数超过限制")
        case .passwordContainsUser:
            (
                "Password cannot contain :username, phone number, email prefix, name in PinYing",
                "密码不能包含:用户名、电话号码、邮件前缀、拼音名"
            )
        case .mobileMismatch: ("The mobile doesn't match the user", "手机号和用户不匹配")
        case .accessPolicy: ("The access control policy is incorrect", "访问控制策略配置错误")
        case .accessSource: ("Access control authentication source type conversion error", "访问控制身份验证源类型转换错误")
        case .rateLimited: ("Too many requests. Try again in {0} seconds", "请求过于频繁,请在 {0} 秒后重试")
        case .deviceBound: ("The device is already bound", "设备已绑定")
        case .deviceNotBound: ("The device is not bound", "设备未绑定")
        case .noPendingRequest: ("There is no pending request", "没有待处理的请求")
        case .requestExpired: ("The request has expired", "请求已过期")
        case .requestDenied: ("The request was denied", "请求已被拒绝")
        case .signatureInvalid: ("The signature is invalid", "签名无效")
        case .mobileBoundElsewhere: ("The mobile is bound to another social account", "手机号已绑定其他社交账号")
        }
    }
}
