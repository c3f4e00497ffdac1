#if IDaaS
/// How often things may happen.
public struct LimitSettings: Hashable, Sendable {
    // Captcha
    public var captchaPerDevice = [Limit(120, per: 60)]
    public var captchaPerAddress = [Limit(600, per: 60)]
    /// Wrong solutions of a client's device; one more locks it for ``captchaLockSeconds``.
    public var wrongCaptchaPerDevice = [Limit(5, per: 60)]
    public var captchaLockSeconds = 300
    public var wrongCaptchaPerAddress = [Limit(60, per: 60)]
    public var wrongCaptchaPerSender = [Limit(10, per: 3_600)]

    // SMS
    public var smsPerNumber = [Limit(1, per: 60), Limit(5, per: 3_600), Limit(10, per: 86_400)]
    public var smsPerDevice = [Limit(10, per: 3_600)]
    public var smsPerAddress = [Limit(60, per: 3_600)]
    public var smsPerClient = [Limit(20, per: 1)]
    /// To each country but the preferred one.
    public var smsPerForeignCountry = [Limit(200, per: 3_600)]

    // Login
    public var loginsPerDevice = [Limit(30, per: 60)]
    public var loginsPerAddress = [Limit(30, per: 60)]
    /// Wrong tries that destroy a code.
    public var triesPerCode = 5
    /// Wrong tries in a row that lock a number; never more than 100 (NIST SP 800-63B section 5.2.2).
    public var failuresPerNumber = 10 { didSet { failuresPerNumber = min(failuresPerNumber, Self.mostFailures) } }
    public var lockSeconds = 900
    /// Each lock lasts twice as long as the one before, up to this.
    public var longestLockSeconds = 86_400

    private static let mostFailures = 100

    public init() {}

    /// The longest window of all: older events never matter.
    var longestWindow: Int { max(captchaLockSeconds, windows.flatMap(\.limits).map(\.seconds).max() ?? 0) }

    var windows: [(name: String, limits: [Limit])] {
        [
            ("captchaPerDevice", captchaPerDevice), ("captchaPerAddress", captchaPerAddress),
            ("wrongCaptchaPerDevice", wrongCaptchaPerDevice), ("wrongCaptchaPerAddress", wrongCaptchaPerAddress),
            ("wrongCaptchaPerSender", wrongCaptchaPerSender), ("smsPerNumber", smsPerNumber), ("smsPerDevice", smsPerDevice),
            ("smsPerAddress", smsPerAddress), ("smsPerClient", smsPerClient), ("smsPerForeignCountry", smsPerForeignCountry),
            ("loginsPerDevice", loginsPerDevice), ("loginsPerAddress", loginsPerAddress),
        ]
    }
}

extension LimitSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case captchaPerDevice, captchaPerAddress, wrongCaptchaPerDevice, captchaLockSeconds, wrongCaptchaPerAddress, wrongCaptchaPerSender
        case smsPerNumber, smsPerDevice, smsPerAddress, smsPerClient, smsPerForeignCountry
        case loginsPerDevice, loginsPerAddress, triesPerCode, failuresPerNumber, lockSeconds, longestLockSeconds
    }

    /// What is absent has its default.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
            value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(.captchaPerDevice, &captchaPerDevice)
        try read(.captchaPerAddress, &captchaPerAddress)
        try read(.wrongCaptchaPerDevice, &wrongCaptchaPerDevice)
        try read(.captchaLockSeconds, &captchaLockSeconds)
        try read(.wrongCaptchaPerAddress, &wrongCaptchaPerAddress)
        try read(.wrongCaptchaPerSender, &wrongCaptchaPerSender)
        try read(.smsPerNumber, &smsPerNumber)
        try read(.smsPerDevice, &smsPerDevice)
        try read(.smsPerAddress, &smsPerAddress)
        try read(.smsPerClient, &smsPerClient)
        try read(.smsPerForeignCountry, &smsPerForeignCountry)
        try read(.loginsPerDevice, &loginsPerDevice)
        try read(.loginsPerAddress, &loginsPerAddress)
        try read(.triesPerCode, &triesPerCode)
        try read(.failuresPerNumber, &failuresPerNumber)
        try read(.lockSeconds, &lockSeconds)
        try read(.longestLockSeconds, &longestLockSeconds)
        failuresPerNumber = min(failuresPerNumber, Self.mostFailures)
    }
}
#endif
