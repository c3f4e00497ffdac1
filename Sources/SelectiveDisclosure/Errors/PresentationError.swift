public import JWTCore

/// Why a presentation was refused: a stable code, and the verifier's error if one of its two tokens is at fault.
public struct PresentationError: Error, Hashable, Sendable {
    public let code: Code
    /// Why the issuer's token, its claims, the holder's key or the holder's token was refused; nil for a fault of the presentation itself.
    public let cause: VerificationError?

    package init(_ code: Code, cause: VerificationError? = nil) {
        self.code = code
        self.cause = cause
    }

    /// Whether the same presentation may pass later, once keys have been fetched.
    public var isRetryable: Bool { cause?.code.isRetryable ?? false }
}

extension PresentationError: CustomStringConvertible {
    /// One sentence. Never contains a byte of the presentation.
    public var description: String { "\(code.name): \(cause?.description ?? code.summary)" }
}
