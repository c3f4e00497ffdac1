#if IDaaS
/// So many events in so many seconds, in a window that slides; 0 of them forbids what is limited.
public struct Limit: Hashable, Sendable, Codable {
    public var count: Int
    public var seconds: Int

    public init(_ count: Int, per seconds: Int) {
        self.count = count
        self.seconds = seconds
    }

    /// What is counted.
    public struct Scope: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        static let captchaOfDevice = Self(rawValue: "captcha.device")
        static let captchaOfAddress = Self(rawValue: "captcha.address")
        static let wrongCaptchaOfDevice = Self(rawValue: "captcha.wrong.device")
        static let wrongCaptchaOfAddress = Self(rawValue: "captcha.wrong.address")
        static let wrongCaptchaOfSender = Self(rawValue: "captcha.wrong.sender")
        /// A single event, which locks for as long as its window is.
        static let captchaLock = Self(rawValue: "captcha.lock")
        static let sendToNumber = Self(rawValue: "send.number")
        /// The same events for the pause between two, which one that was not sent does not use up.
        static let sendPause = Self(rawValue: "send.pause")
        static let sendOfDevice = Self(rawValue: "send.device")
        static let sendOfAddress = Self(rawValue: "send.address")
        static let sendOfClient = Self(rawValue: "send.client")
        static let sendToCountry = Self(rawValue: "send.country")
        static let loginOfDevice = Self(rawValue: "login.device")
        static let loginOfAddress = Self(rawValue: "login.address")

        /// What is counted by the number, and so is about a person.
        static let ofNumber = [sendToNumber, sendPause, wrongCaptchaOfSender]
    }
}

/// Something that was counted of a number.
public struct NumberEvent: Hashable, Sendable {
    public var scope: Limit.Scope
    public var time: Timestamp

    public init(scope: Limit.Scope, time: Timestamp) {
        self.scope = scope
        self.time = time
    }
}
#endif
