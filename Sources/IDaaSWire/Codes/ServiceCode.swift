/// The error codes of the SDK documents, and the few that this project adds.
public enum ServiceCode: String, Hashable, Sendable, CaseIterable {
    case missingParameter = "IDAAS.SDK.COMMON.1001"
    case invalidFormat = "IDAAS.SDK.COMMON.1002"
    case incompleteDevice = "IDAAS.SDK.COMMON.1003"
    case undecryptableSignature = "IDAAS.SDK.COMMON.1004"
    case expired = "IDAAS.SDK.COMMON.1005"
    case invalidParameter = "IDAAS.SDK.COMMON.1006"
    case invalidType = "IDAAS.SDK.COMMON.1007"
    case systemBusy = "IDAAS.SDK.COMMON.1008"
    case unknownConfiguration = "IDAAS.SDK.COMMON.1009"
    case enterpriseConfiguration = "IDAAS.SDK.COMMON.1010"
    case areaCodeConfiguration = "IDAAS.SDK.COMMON.1011"
    case unknownClient = "IDAAS.SDK.COMMON.1012"
    case unknownUser = "IDAAS.SDK.COMMON.1013"
    case missingApplicationKey = "IDAAS.SDK.COMMON.1014"
    case interfaceFailed = "IDAAS.SDK.LOGIN.1001"
    case userNotBound = "IDAAS.SDK.LOGIN.1002"
    case locked = "IDAAS.SDK.LOGIN.1003"
    case passwordPolicy = "IDAAS.SDK.LOGIN.1004"
    case invalidPassword = "IDAAS.SDK.LOGIN.1005"
    case wechatSource = "IDAAS.SDK.LOGIN.1006"
    case alipaySource = "IDAAS.SDK.LOGIN.1007"
    case oneClickSource = "IDAAS.SDK.LOGIN.1008"
    case sliderPicture = "IDAAS.SDK.SMS.1001"
    case sliderUnreadable = "IDAAS.SDK.SMS.1002"
    case sliderMismatch = "IDAAS.SDK.SMS.1003"
    case captchaIncorrect = "IDAAS.SDK.SMS.1004"
    case smsCodeIncorrect = "IDAAS.SDK.SMS.1005"
    case emailCodeIncorrect = "IDAAS.SDK.SMS.1006"
    case unknownScenario = "IDAAS.SDK.SMS.1007"
    case sendingFailed = "IDAAS.SDK.SMS.1008"
    case socialUnbind = "IDAAS.SDK.SOCIAL.1001"
    case socialBound = "IDAAS.SDK.SOCIAL.1002"
    case passwordLength = "IDAAS.SDK.PWD.1001"
    case passwordIsUserName = "IDAAS.SDK.PWD.1002"
    case passwordComplexity = "IDAAS.SDK.PWD.1003"
    case passwordWeak = "IDAAS.SDK.PWD.1004"
    case passwordUsedBefore = "IDAAS.SDK.PWD.1005"
    case passwordIsReversedUserName = "IDAAS.SDK.PWD.1006"
    case passwordRepeats = "IDAAS.SDK.PWD.1007"
    case passwordContainsUser = "IDAAS.SDK.PWD.1008"
    case mobileMismatch = "IDAAS.SDK.MFA.1001"
    case accessPolicy = "IDAAS.SDK.MFA.1002"
    case accessSource = "IDAAS.SDK.MFA.1003"
    // Codes that the documents lack.
    case rateLimited = "IDAAS.SDK.RATE.1001"
    case deviceBound = "IDAAS.SDK.MFA.1004"
    case deviceNotBound = "IDAAS.SDK.MFA.1005"
    case noPendingRequest = "IDAAS.SDK.MFA.1006"
    case requestExpired = "IDAAS.SDK.MFA.1007"
    case requestDenied = "IDAAS.SDK.MFA.1008"
    case signatureInvalid = "IDAAS.SDK.MFA.1009"
    case authorizationPending = "IDAAS.SDK.MFA.1010"
    case pollingTooFast = "IDAAS.SDK.MFA.1011"
    case matchCodeIncorrect = "IDAAS.SDK.MFA.1012"
    case mobileBoundElsewhere = "IDAAS.SDK.SOCIAL.1003"

    /// The code that a server sent: as in the documents, without the prefix (EIAM), or renumbered (CIAM v2).
    ///
    /// - Returns: nil for an unknown code.
    public init?(wire: String) {
        let code = wire.hasPrefix("SDK.") ? "IDAAS." + wire : wire
        guard let known = Self(rawValue: code) ?? Self.aliases[code] else { return nil }
        self = known
    }

    private static let aliases: [String: Self] = [
        "IDAAS.SDK.PARAM.0001": .incompleteDevice,
        "IDAAS.SDK.PARAM.0023": .expired,
        "IDAAS.SDK.CAPTCHA.0002": .captchaIncorrect,
        "IDAAS.SDK.CAPTCHA.0006": .sendingFailed,
        "IDAAS.SDK.CAPTCHA.0007": .smsCodeIncorrect,
        "COM.0217": .expired,
    ]
}
