internal import IDaaSWire

/// A code, token, challenge or nonce, which works once. One table holds them all by purpose, so that none works for another purpose.
package struct SingleUse: Hashable, Sendable {
    package var purpose: Purpose
    /// The digest of the secret, never the secret itself. It is the lookup key.
    package var key: [UInt8]
    package var client: String
    /// SHA-256 of the fingerprint of the device that it was made for.
    package var device: [UInt8]
    /// The number that it belongs to, `+CC-NSN`; empty if there is none.
    package var subject = ""
    /// The value that an attempt is compared with: the keyed hash of a code, the position of a piece.
    package var content: [UInt8] = []
    package var created: Timestamp
    /// The first instant at which it no longer works.
    package var expires: Timestamp
    package var failures = 0
    package var consumed: Timestamp?
    /// The result, for an identical repetition of the request that consumed it.
    package var outcome: String?

    /// Whether it was made for this client and device.
    func belongs(to caller: Caller) -> Bool { client == caller.client.id && device == caller.device }

    func isLive(at instant: Timestamp) -> Bool { consumed == nil && instant < expires }

    package struct Purpose: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The position of a slider's piece.
        static let challenge = Self(rawValue: "captcha.challenge")
        /// The proof of a solved slider, valid for one SMS.
        static let captchaToken = Self(rawValue: "captcha.token")
        /// A nonce of `X-signature`.
        static let nonce = Self(rawValue: "signature.nonce")
        /// A code of WeChat that was exchanged.
        static let wechatCode = Self(rawValue: "wechat.code")
        /// The `state` of an authorisation by WeChat.
        static let wechatState = Self(rawValue: "wechat.state")
        /// A carrier's token that was exchanged.
        static let carrierToken = Self(rawValue: "carrier.token")
        /// A challenge to bind or unbind a phone's key.
        static func keyChallenge(_ action: BiometricStatement.Decision) -> Self { Self(rawValue: "bio.\(action.rawValue)") }
        /// The record of a state token.
        static func state(_ purpose: StateTokens.Purpose) -> Self { Self(rawValue: "state.\(purpose.rawValue)") }
        /// A request of the authorization code flow that waits for its user.
        static let authorizationRequest = Self(rawValue: "oauth.request")
        /// An authorization code.
        static let authorizationCode = Self(rawValue: "oauth.code")
        /// An access token of the authorization code flow. It is never consumed.
        static let accessToken = Self(rawValue: "oauth.access")
        /// An SMS code of one type.
        static func code(_ type: SMSPurpose) -> Self { Self(rawValue: "code.\(type.rawValue)") }
    }
}
