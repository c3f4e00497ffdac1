internal import HTTPEdge

/// How long records and tokens are valid.
public struct Lifetimes: Hashable, Sendable, Codable {
    /// Of a slider challenge.
    public var challenge = Duration.seconds(120)
    /// Of the proof of a solved slider.
    public var captchaToken = Duration.seconds(180)
    /// Of an SMS code; ten minutes at most (NIST SP 800-63B: an out-of-band secret lasts ten minutes at most).
    public var code = Duration.seconds(300)
    /// The pause before another SMS to a number, as replies state it. ``LimitSettings`` has the limit itself. When a message could not be
    /// sent, the number's windows up to this length are cleared.
    public var sendInterval = Duration.seconds(60)
    /// How long a repeated request to send or refresh gets the same answer, because the first reply may have been lost.
    public var retry = Duration.seconds(30)
    public var idToken = Duration.seconds(7_200)
    /// Of a session without a refresh.
    public var sessionIdle = Duration.seconds(604_800)
    /// Of a session, even with refreshes.
    public var sessionAbsolute = Duration.seconds(2_592_000)
    /// The allowed difference of an `X-signature` timestamp, in either direction.
    public var signatureWindow = Duration.seconds(300)
    public var stateToken = Duration.seconds(600)
    /// Of a challenge to bind a phone, and of a request for a second factor.
    public var approval = Duration.seconds(120)
    /// Between two polls of a request for a second factor.
    public var pollInterval = Duration.seconds(2)
    /// The age of a login that may still bind a phone.
    public var bindingLogin = Duration.seconds(600)
    /// Of an authorization code (RFC 6749 section 4.1.2: ten minutes at most).
    public var authorizationCode = Duration.seconds(60)
    /// Of an authorization request that waits for its user.
    public var authorizationRequest = Duration.seconds(1_800)

    var all: [(name: String, span: Duration)] {
        [
            ("challenge", challenge), ("captchaToken", captchaToken), ("code", code), ("sendInterval", sendInterval), ("retry", retry),
            ("idToken", idToken), ("sessionIdle", sessionIdle), ("sessionAbsolute", sessionAbsolute),
            ("signatureWindow", signatureWindow), ("stateToken", stateToken), ("approval", approval), ("pollInterval", pollInterval),
            ("bindingLogin", bindingLogin), ("authorizationCode", authorizationCode), ("authorizationRequest", authorizationRequest),
        ]
    }

    public init() {}
}
