public import JWKSCache
public import JWTCore

/// Why a call failed. It contains no secret, number or token.
public struct FlowError: Error, Hashable, Sendable {
    public let reason: Reason
    /// The `X-Request-Id` of the failed request, for the server's operator; nil if no request was sent.
    public let requestID: String?

    public init(_ reason: Reason, requestID: String? = nil) {
        self.reason = reason
        self.requestID = requestID
    }

    public enum Reason: Hashable, Sendable {
        /// The configuration cannot work. The text gives the reason.
        case configuration(String)
        /// An argument is empty. The text is its name on the wire.
        case missingInput(String)
        /// An argument has the wrong form. The text is its name on the wire.
        case invalidInput(String)
        /// The server refused.
        case service(ServiceRefusal)
        /// The answer does not follow the protocol, for example a firewall's page.
        case unexpectedAnswer(status: Int)
        /// There was no answer.
        case transport(RequestFailure)
        /// The session store could not be read or written.
        case store(StoreFailure)
        /// This client has no session at this tenant.
        case noSession
        /// The application's public key cannot be read, or cannot encrypt.
        case unusablePublicKey
        /// The id_token was refused.
        case token(VerificationError)
        /// The phone did not verify its user, or did not sign.
        case biometric(BiometricFailure)
        /// WeChat gave no authorisation.
        case weChat(WeChatFailure)
        /// The carrier gave no login token.
        case carrier(CarrierFailure)
        case cancelled
    }

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool {
        switch reason {
        case .service(let refusal): refusal.isRetryable
        case .unexpectedAnswer(let status): status == 429 || status >= 500
        case .transport(let failure): failure.isRetryable
        case .store(let failure): failure.reason == .busy
        case .token(let error): error.code.isRetryable
        case .weChat(let failure): failure == .common || failure == .stateExpired
        case .carrier(let failure): failure.meaning.isRetryable
        case .configuration, .missingInput, .invalidInput, .noSession, .unusablePublicKey, .biometric, .cancelled: false
        }
    }

    /// Whether the server was unreachable. The session's state is unknown then.
    public var isOffline: Bool { if case .transport = reason { true } else { false } }

    /// How long to wait before the next attempt, if the server said so.
    public var retryAfter: Duration? { if case .service(let refusal) = reason { refusal.retryAfter } else { nil } }

    /// The server's error code, or `1` for any other failure.
    public var legacyCode: String { if case .service(let refusal) = reason { refusal.wireCode } else { "1" } }

    func with(requestID: String) -> Self { self.requestID == nil ? Self(reason, requestID: requestID) : self }
}
