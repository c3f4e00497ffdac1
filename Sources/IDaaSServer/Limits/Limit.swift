internal import HTTPEdge

/// A number of events in a sliding window. A count of 0 forbids the action.
public struct Limit: Hashable, Sendable, Codable {
    public var count: Int
    public var window: Duration

    public init(_ count: Int, per window: Duration) {
        self.count = count
        self.window = window
    }

    private enum CodingKeys: String, CodingKey {
        case count
        case window = "seconds"
    }

    /// What is counted.
    package struct Scope: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        static let captchaOfDevice = Self(rawValue: "captcha.device")
        static let captchaOfAddress = Self(rawValue: "captcha.address")
        static let wrongCaptchaOfDevice = Self(rawValue: "captcha.wrong.device")
        static let wrongCaptchaOfAddress = Self(rawValue: "captcha.wrong.address")
        static let wrongCaptchaOfSender = Self(rawValue: "captcha.wrong.sender")
        /// A single event, which locks for the length of its window.
        static let captchaLock = Self(rawValue: "captcha.lock")
        static let sendToNumber = Self(rawValue: "send.number")
        /// The same messages, counted for the pause between two. A message that was not sent is removed.
        static let sendPause = Self(rawValue: "send.pause")
        static let sendOfDevice = Self(rawValue: "send.device")
        static let sendOfAddress = Self(rawValue: "send.address")
        static let sendOfClient = Self(rawValue: "send.client")
        static let sendToCountry = Self(rawValue: "send.country")
        static let loginOfDevice = Self(rawValue: "login.device")
        static let loginOfAddress = Self(rawValue: "login.address")
        /// By the digest of a user, or of a typed name that no user has.
        static let wrongPassword = Self(rawValue: "password.wrong.name")
        /// By user and authenticator.
        static let approvalOfUser = Self(rawValue: "approval.user")
        /// Signatures that are not of a request, by request.
        static let wrongAnswer = Self(rawValue: "approval.wrong")
        static let registrationOfAddress = Self(rawValue: "client.registration.address")
        static let documentOfAddress = Self(rawValue: "client.document.address")
        static let challengeOfDevice = Self(rawValue: "challenge.device")

        /// Counted by number, so this is personal data.
        static let ofNumber = [sendToNumber, sendPause, wrongCaptchaOfSender]
    }
}

/// A counted event of a number.
package struct NumberEvent: Hashable, Sendable {
    package var scope: Limit.Scope
    package var time: Timestamp
}
