public import JWTCore

/// Why a call did not do what it was to do. No secret, number or token is in it.
public struct FlowError: Error, Hashable, Sendable {
    public let reason: Reason
    /// The `X-Request-Id` of the request that failed, for asking the server's operator; nil where there was none.
    public let requestID: String?

    public init(_ reason: Reason, requestID: String? = nil) {
        self.reason = reason
        self.requestID = requestID
    }

    public enum Reason: Hashable, Sendable {
        /// The configuration cannot work, and why.
        case configuration(String)
        /// An argument was empty: its name on the wire.
        case missingInput(String)
        /// An argument cannot be what it should be: its name on the wire.
        case invalidInput(String)
        /// The server refused.
        case service(ServiceRefusal)
        /// An answer that is not of the protocol, such as a page of a firewall.
        case unexpectedAnswer(status: Int)
        /// There was no answer.
        case transport(TransportFailure)
        /// The session store could not be read or written.
        case store(StoreFailure)
        /// There is no session, or it is of another tenant or client.
        case noSession
        /// The server's public key is none, or nothing can be encrypted with it.
        case unusablePublicKey
        /// An id_token was refused.
        case token(VerificationError)
        case cancelled
    }

    /// Whether the same call may succeed later, without anybody changing anything.
    public var isRetryable: Bool {
        switch reason {
        case .service(let refusal): refusal.isRetryable
        case .unexpectedAnswer(let status): status == 429 || status >= 500
        case .transport(let failure): failure.isRetryable
        case .store(let failure): failure.reason == .busy
        case .token(let error): error.code.isRetryable
        case .configuration, .missingInput, .invalidInput, .noSession, .unusablePublicKey, .cancelled: false
        }
    }

    /// Whether the server was not reached at all: nothing is known about the session.
    public var isOffline: Bool { if case .transport = reason { true } else { false } }

    /// When to try again at the earliest, where the server said.
    public var retryAfter: Duration? { if case .service(let refusal) = reason { refusal.retryAfter } else { nil } }

    /// The server's error code, or 1: "failed", with a text.
    public var legacyCode: String { if case .service(let refusal) = reason { refusal.wireCode } else { "1" } }

    func with(requestID: String) -> Self { self.requestID == nil ? Self(reason, requestID: requestID) : self }
}
