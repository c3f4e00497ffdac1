public import JWTCore

/// Why a security event token was refused: a stable code, and the verifier's error if the events were not reached.
public struct SecurityEventError: Error, Hashable, Sendable {
    public let code: Code
    /// Why the token itself was refused; nil for a fault of its events.
    public let cause: VerificationError?

    package init(_ code: Code) {
        self.code = code
        cause = nil
    }

    /// The error for a token that was refused.
    package init(refusing cause: VerificationError) {
        code = .tokenRefused
        self.cause = cause
    }

    /// Whether the same token may pass later, once keys have been fetched.
    public var isRetryable: Bool { cause?.code.isRetryable ?? false }

    /// The name for logs and metrics: the verifier's code, if it refused the token.
    public var name: String { cause?.code.name ?? code.name }
}

extension SecurityEventError: CustomStringConvertible {
    /// One sentence. Never contains a byte of the token.
    public var description: String { "\(code.name): \(cause?.description ?? code.summary)" }
}
