#if Gateway
internal import JWTCore
internal import SharedSignals

/// Why an event is refused for good: the transmitter need not send it again.
struct SignalRefusal: Error, Hashable, Sendable {
    /// What the transmitter is told (RFC 8935 section 2.4).
    let code: Code
    /// The name in metrics and logs.
    let name: String
    /// One sentence for the transmitter. It has no byte of the event.
    let text: String

    enum Code: String, Sendable, CaseIterable {
        case invalidRequest = "invalid_request"
        case invalidKey = "invalid_key"
        case invalidIssuer = "invalid_issuer"
        case invalidAudience = "invalid_audience"
        case authenticationFailed = "authentication_failed"
        case accessDenied = "access_denied"
    }

    init(_ code: Code, name: String, _ text: String) {
        self.code = code
        self.name = name
        self.text = text
    }

    init(_ error: SecurityEventError) { self.init(Code(error), name: error.name, error.description) }
}

extension SignalRefusal.Code {
    init(_ error: SecurityEventError) {
        self =
            switch error.cause?.code {
            case .issuerMismatch: .invalidIssuer
            case .audienceMismatch: .invalidAudience
            case .unknownKey, .ambiguousKey, .keyAlgorithmMismatch, .keyUseMismatch, .weakKey, .invalidKey, .signatureInvalid: .invalidKey
            default: .invalidRequest
            }
    }
}

/// The body of a refusal.
struct SignalRefusalDocument: Encodable {
    let err: String
    let description: String

    init(_ refusal: SignalRefusal) {
        err = refusal.code.rawValue
        description = refusal.text
    }
}
#endif
