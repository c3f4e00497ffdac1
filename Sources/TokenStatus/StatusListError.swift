public import JWTCore

/// Why a Status List Token was refused: a stable code, and the verifier's error if the list was not reached.
///
/// No statement about any token's status can be made from a list that was refused (draft-ietf-oauth-status-list-20 section 8.3).
public struct StatusListError: Error, Hashable, Sendable {
    public let code: Code
    /// Why the token itself was refused; nil for a fault of its list.
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
}

extension StatusListError: CustomStringConvertible {
    /// One sentence. Never contains a byte of the token or the list.
    public var description: String { "\(code.name): \(cause?.description ?? code.summary)" }
}
