#if IDaaS
/// Something that works once: a code, a token, a challenge, a nonce. All of them are in one place, told apart by what they are for, so
/// that none can be used for another.
public struct SingleUse: Hashable, Sendable {
    public var purpose: Purpose
    /// What it is found by: a digest, never the thing itself.
    public var key: [UInt8]
    public var client: String
    /// SHA-256 of the fingerprint of the device that it was made for.
    public var device: [UInt8]
    /// The number that it is about, `+CC-NSN`; empty where it is about none.
    public var subject: String
    /// What an attempt is held against: the keyed hash of a code, the place of a piece.
    public var content: [UInt8]
    public var created: Timestamp
    /// The first instant at which it does not work any more.
    public var expires: Timestamp
    public var failures: Int
    public var consumed: Timestamp?
    /// What came of it, for an identical repetition of the request that consumed it.
    public var outcome: String?

    public init(
        purpose: Purpose, key: [UInt8], client: String, device: [UInt8], subject: String = "", content: [UInt8] = [], created: Timestamp,
        expires: Timestamp, failures: Int = 0, consumed: Timestamp? = nil, outcome: String? = nil
    ) {
        self.purpose = purpose
        self.key = key
        self.client = client
        self.device = device
        self.subject = subject
        self.content = content
        self.created = created
        self.expires = expires
        self.failures = failures
        self.consumed = consumed
        self.outcome = outcome
    }

    /// Whether it was made for this client and device.
    func belongs(to caller: Caller) -> Bool { client == caller.client.id && device == caller.device }

    func isLive(at instant: Timestamp) -> Bool { consumed == nil && instant < expires }

    public struct Purpose: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The place where a slider's piece belongs.
        static let challenge = Self(rawValue: "captcha.challenge")
        /// What a solved slider is worth: one SMS.
        static let captchaToken = Self(rawValue: "captcha.token")
        /// A nonce of `X-signature`.
        static let nonce = Self(rawValue: "signature.nonce")
        /// An SMS code of one type.
        static func code(_ type: SMSType) -> Self { Self(rawValue: "code.\(type.rawValue)") }
    }
}
#endif
