internal import IDaaSWire

/// What an exchange led to, as its record keeps it: names of what is stored, never a token.
enum ExchangeOutcome: Hashable, Sendable {
    /// The id of the session that was opened.
    case session(String)
    /// The id of the state token that was issued.
    case step(StateTokens.Purpose, id: String)
    case refused(ServiceCode, argument: String)

    var text: String {
        switch self {
        case .session(let id): "session \(id)"
        case .step(let purpose, let id): "step \(purpose.rawValue) \(id)"
        case .refused(let code, let argument): "refused \(code.rawValue) \(argument)"
        }
    }

    init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("session", 2): self = .session(parts[1])
        case ("step", 3):
            guard let purpose = StateTokens.Purpose(rawValue: parts[1]) else { return nil }
            self = .step(purpose, id: parts[2])
        case ("refused", 3):
            guard let code = ServiceCode(rawValue: parts[1]) else { return nil }
            self = .refused(code, argument: parts[2])
        default: return nil
        }
    }

    static func refused(_ error: ServiceError) -> Self { .refused(error.code, argument: error.arguments.first ?? "") }
}
