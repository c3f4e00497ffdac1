public import JWTCore

/// Why a signed document was refused: a stable code, and where a signature is at fault its place and the verifier's error.
public struct DocumentError: Error, Hashable, Sendable {
    public let code: Code
    /// The place of the signature at fault, from zero; nil for a fault of the document.
    public let signature: Int?
    /// Why the signature was refused, or what is wrong with the text; nil for a fault that the code says completely.
    public let cause: VerificationError?

    package init(_ code: Code, signature: Int? = nil, cause: VerificationError? = nil) {
        self.code = code
        self.signature = signature
        self.cause = cause
    }

    /// Whether the same document may pass later, once keys have been fetched.
    public var isRetryable: Bool { cause?.code.isRetryable ?? false }
}

extension DocumentError: CustomStringConvertible {
    /// One sentence. Never contains a byte of the document.
    public var description: String {
        let place = signature.map { " (signature \($0))" } ?? ""
        return "\(code.name): \(cause?.description ?? code.summary)\(place)"
    }
}
