internal import HTTPEdge

/// How often a device, address, client or number may do something.
public struct LimitSettings: Hashable, Sendable, Codable {
    // Captcha
    public var captchaPerDevice = [Limit(120, per: .seconds(60))]
    public var captchaPerAddress = [Limit(600, per: .seconds(60))]
    /// Wrong solutions of a client's device; one more locks it for ``captchaLock``.
    public var wrongCaptchaPerDevice = [Limit(5, per: .seconds(60))]
    public var captchaLock = Duration.seconds(300)
    public var wrongCaptchaPerAddress = [Limit(60, per: .seconds(60))]
    /// Wrong solutions for a number, from all devices: further wrong ones are refused, right ones never.
    public var wrongCaptchaPerSender = [Limit(10, per: .seconds(3_600))]

    // SMS
    public var smsPerNumber = [Limit(1, per: .seconds(60)), Limit(5, per: .seconds(3_600)), Limit(10, per: .seconds(86_400))]
    public var smsPerDevice = [Limit(10, per: .seconds(3_600))]
    public var smsPerAddress = [Limit(60, per: .seconds(3_600))]
    public var smsPerClient = [Limit(20, per: .seconds(1))]
    /// To each country except the preferred one.
    public var smsPerForeignCountry = [Limit(200, per: .seconds(3_600))]

    // Clients that register themselves
    public var registrationsPerAddress = [Limit(30, per: .seconds(3_600))]
    /// Fetches of client metadata documents that requests of an address cause.
    public var clientDocumentsPerAddress = [Limit(60, per: .seconds(3_600))]

    // Login
    public var loginsPerDevice = [Limit(30, per: .seconds(60))]
    public var loginsPerAddress = [Limit(30, per: .seconds(60))]
    /// Wrong passwords for a name from devices on which its user never logged in.
    public var wrongPasswordsPerName = [Limit(20, per: .seconds(3_600)), Limit(50, per: .seconds(86_400))]
    /// Requests for a second factor of a user: more are push bombing.
    public var approvalsPerUser = [Limit(5, per: .seconds(600))]
    /// Challenges to bind or unbind a phone.
    public var challengesPerDevice = [Limit(30, per: .seconds(60))]
    /// Wrong codes that end a login's state token, and wrong signatures that end a request for a second factor.
    public var triesPerState = 5
    /// Wrong attempts that destroy a code.
    public var triesPerCode = 5
    /// Wrong attempts in a row that lock a device for a number; 100 at most (NIST SP 800-63B section 5.2.2).
    public var failuresPerDevice = 10
    public var firstLock = Duration.seconds(900)
    /// Each lock lasts twice as long as the previous one, up to this.
    public var longestLock = Duration.seconds(86_400)

    public init() {}

    /// The longest window of all limits: older events do not count.
    var longestWindow: Duration { max(captchaLock, windows.flatMap(\.limits).map(\.window).max() ?? .zero) }

    var windows: [(name: String, limits: [Limit])] {
        [
            ("captchaPerDevice", captchaPerDevice), ("captchaPerAddress", captchaPerAddress),
            ("wrongCaptchaPerDevice", wrongCaptchaPerDevice), ("wrongCaptchaPerAddress", wrongCaptchaPerAddress),
            ("wrongCaptchaPerSender", wrongCaptchaPerSender), ("smsPerNumber", smsPerNumber), ("smsPerDevice", smsPerDevice),
            ("smsPerAddress", smsPerAddress), ("smsPerClient", smsPerClient), ("smsPerForeignCountry", smsPerForeignCountry),
            ("loginsPerDevice", loginsPerDevice), ("loginsPerAddress", loginsPerAddress),
            ("wrongPasswordsPerName", wrongPasswordsPerName), ("approvalsPerUser", approvalsPerUser),
            ("challengesPerDevice", challengesPerDevice), ("registrationsPerAddress", registrationsPerAddress),
            ("clientDocumentsPerAddress", clientDocumentsPerAddress),
        ]
    }

    private enum CodingKeys: String, CodingKey {
        case captchaPerDevice, captchaPerAddress, wrongCaptchaPerDevice, wrongCaptchaPerAddress, wrongCaptchaPerSender
        case captchaLock = "captchaLockSeconds"
        case smsPerNumber, smsPerDevice, smsPerAddress, smsPerClient, smsPerForeignCountry
        case registrationsPerAddress, clientDocumentsPerAddress
        case loginsPerDevice, loginsPerAddress, wrongPasswordsPerName, approvalsPerUser, challengesPerDevice, triesPerState
        case triesPerCode, failuresPerDevice
        case firstLock = "lockSeconds"
        case longestLock = "longestLockSeconds"
    }
}
