internal import JWTCore

/// What an introspection endpoint said about a token, or that it said nothing.
enum IntrospectionAnswer: Sendable {
    case active(IntrospectedToken)
    case inactive
    /// The answer was refused: malformed, or not signed as it has to be.
    case refused
    /// There is no answer.
    case unavailable

    /// Bytes that the answer takes in a cache, beside its entry.
    var byteCount: Int { if case .active(let token) = self { token.byteCount } else { 0 } }

    var isActive: Bool { if case .active = self { true } else { false } }
}
