#if IDaaS
/// What each code says, in both languages: the templates of the SDK documents to the letter, and ours behind them.
package enum ErrorCatalogue {
    package struct Row: Hashable, Sendable {
        package let code: ErrorCode
        package let english: String
        package let chinese: String
    }

    package static let rows: [Row] = [
        row(.missingParameter, "Parameter {0} cannot be left blank", "参数 {0} 不能为空"),
        row(.invalidFormat, "The {0} parameter format is incorrect", "参数 {0} 格式错误"),
        row(.incompleteDevice, "Device information is incomplete", "设备信息不完整"),
        row(.undecryptableSignature, "Signature decryption error", "签名解密错误"),
        row(.expired, "The {0} has failed", "{0} 已失效"),
        row(.invalidParameter, "The {0} parameter error", "{0} 参数错误"),
        row(.invalidType, "The {0} parameter type error", "{0}参数类型错误"),
        row(.systemBusy, "The system is busy. Try again later", "系统繁忙。稍后再试"),
        row(.unknownConfiguration, "Unknown authentication configuration", "未知的认证配置"),
        row(.enterpriseConfiguration, "Failed to obtain the enterprise center global configuration", "获取企业中心全局配置失败"),
        row(.areaCodeConfiguration, "Failed to obtain the international area code configuration", "获取国际区号配置失败"),
        row(.unknownClient, "The x-client-ID is incorrect and the corresponding application cannot be found", "X-client-id错误,找不到对应的应用"),
        row(.unknownUser, "The corresponding user is not found", "未找到对应的用户"),
        row(.missingApplicationKey, "Application private key not found", "未找到应用私钥"),
        row(.interfaceFailed, "Error calling interface {0}", "调用 {0} 接口出错"),
        row(.userNotBound, "User not bound", "用户未绑定"),
        row(
            .locked,
            "The user has been locked due to too many unsuccessful login attempts. It will be unlocked in {0} minutes and {1} seconds",
            "由于多次登录失败,用户已被锁定。 它将在 {0} 分钟和 {1} 秒内解锁"),
        row(.passwordPolicy, "Failed to obtain the password policy", "获取密码策略错误"),
        row(.invalidPassword, "Invalid username or password. Remaining login attempts: {0}", "无效的用户名或密码。 其余登录尝试次数:{0}"),
        row(.wechatSource, "Configuration error, unable to find wechat authentication source", "配置错误,找不到微信认证源"),
        row(.alipaySource, "Configuration error, unable to find alipay authentication source", "配置错误,找不到支付宝认证源"),
        row(
            .oneClickSource,
            "The configuration is incorrect. The one-click login authentication source cannot be found",
            "配置错误,无法找到一键登录认证源"),
        row(.sliderPicture, "{0} slide base map is not initialized successfully, please check the path", "{0} 滑动底图未初始化成功,请检查路径"),
        row(.sliderUnreadable, "{0} verification code coordinate resolution failed", "{0} 验证码坐标解析失败"),
        row(.sliderMismatch, "{0} verification code coordinate verification fails", "{0} 验证码坐标校验失败"),
        row(.captchaIncorrect, "The graphic verification code is incorrect", "图形验证码校验错误"),
        row(.smsCodeIncorrect, "SMS verification code verification is incorrect", "短信验证码验证错误"),
        row(.emailCodeIncorrect, "The email verification code is incorrect", "邮件验证码验证错误"),
        row(.unknownScenario, "Sending scenario does not exist", "发送场景不存在"),
        row(.sendingFailed, "Failed to send the verification code", "发送验证码失败"),
        row(.socialUnbind, "The social account is unbound incorrectly", "社交账号解绑错误"),
        row(.socialBound, "The social account has been bound, please unbind it first", "社交账号已绑定,请先解绑"),
        row(.passwordLength, "The password length is incorrect", "密码长度错误"),
        row(.passwordIsUsername, "The password cannot be the username", "密码不能为用户名"),
        row(.passwordComplexity, "Your password complexity is low", "你的密码复杂度过低"),
        row(.passwordWeak, "The password is weak", "密码很弱"),
        row(.passwordReused, "The password is used before, cannot be used again", "该密码已被使用过,不能再次使用"),
        row(.passwordIsUsernameReversed, "Password cannot username in reverse order", "密码不能是用户名的倒序"),
        row(.passwordRepetition, "The number of repeated password characters exceeded the upper limit", "密码重复字符数超过限制"),
        row(
            .passwordContainsIdentity,
            "Password cannot contain :username, phone number, email prefix, name in PinYing",
            "密码不能包含:用户名、电话号码、邮件前缀、拼音名"),
        row(.mobileMismatch, "The mobile doesn't match the user", "手机号和用户不匹配"),
        row(.accessPolicy, "The access control policy is incorrect", "访问控制策略配置错误"),
        row(.accessSource, "Access control authentication source type conversion error", "访问控制身份验证源类型转换错误"),

        row(.rateLimited, "Too many requests. Try again in {0} seconds", "请求过于频繁,请在 {0} 秒后重试"),
        row(.mobileBoundElsewhere, "The mobile has been bound to another social account", "手机号已绑定其他社交账号"),
        row(.deviceAlreadyBound, "The device has been bound", "设备已绑定"),
        row(.deviceNotBound, "The device is not bound", "设备未绑定"),
        row(.noPendingRequest, "There is no pending request", "没有待处理的请求"),
        row(.requestExpired, "The request has expired", "请求已过期"),
        row(.requestDenied, "The request was denied", "请求已被拒绝"),
        row(.signatureInvalid, "The signature is invalid", "签名无效"),
    ]

    /// The text of `code`, with `arguments` for {0}, {1} …; an argument that is missing leaves nothing.
    package static func text(_ code: ErrorCode, _ arguments: [String], in language: Language) -> String {
        var text = template(code, in: language)
        for place in 0..<4 where text.contains("{\(place)}") {
            text = text.replacing("{\(place)}", with: arguments.indices.contains(place) ? arguments[place] : "")
        }
        return text
    }

    package static func template(_ code: ErrorCode, in language: Language) -> String {
        guard let row = byCode[code] else { return code.rawValue }
        return language == .chinese ? row.chinese : row.english
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0) })

    private static func row(_ code: ErrorCode, _ english: String, _ chinese: String) -> Row {
        Row(code: code, english: english, chinese: chinese)
    }
}
#endif
