#if IDaaS
/// How long things last, in seconds.
public struct Lifetimes: Hashable, Sendable {
    /// A slider's picture.
    public var challenge = 120
    /// What a solved slider is worth.
    public var captchaToken = 180
    /// An SMS code; never more than 600 (NIST SP 800-63B: an out-of-band secret lasts ten minutes at most).
    public var code = 300 { didSet { code = min(code, Self.longestCode) } }
    /// Until another SMS may go to a number, as replies say it. The limit itself is in ``LimitSettings``: windows of a number that are no
    /// longer than this are lifted again when a message could not be sent.
    public var sendInterval = 60
    /// For how long the same request is answered the same, where a reply may have been lost: sending and refreshing.
    public var retry = 30
    public var idToken = 7_200
    /// A session without a refresh.
    public var sessionIdle = 604_800
    /// A session, however often refreshed.
    public var sessionAbsolute = 2_592_000
    /// How far the timestamp of an `X-signature` may be off, either way.
    public var signatureWindow = 300
    public var stateToken = 600

    var all: [(name: String, seconds: Int)] {
        [
            ("challenge", challenge), ("captchaToken", captchaToken), ("code", code), ("sendInterval", sendInterval), ("retry", retry),
            ("idToken", idToken), ("sessionIdle", sessionIdle), ("sessionAbsolute", sessionAbsolute),
            ("signatureWindow", signatureWindow), ("stateToken", stateToken),
        ]
    }

    private static let longestCode = 600

    public init() {}
}

extension Lifetimes: Codable {
    private enum CodingKeys: String, CodingKey {
        case challenge, captchaToken, code, sendInterval, retry, idToken, sessionIdle, sessionAbsolute, signatureWindow, stateToken
    }

    /// What is absent has its default.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read(_ key: CodingKeys, _ value: inout Int) throws { value = try values.decodeIfPresent(Int.self, forKey: key) ?? value }
        try read(.challenge, &challenge)
        try read(.captchaToken, &captchaToken)
        try read(.code, &code)
        try read(.sendInterval, &sendInterval)
        try read(.retry, &retry)
        try read(.idToken, &idToken)
        try read(.sessionIdle, &sessionIdle)
        try read(.sessionAbsolute, &sessionAbsolute)
        try read(.signatureWindow, &signatureWindow)
        try read(.stateToken, &stateToken)
        code = min(code, Self.longestCode)
    }
}
#endif
