public import JWTCore

/// The tokens that an event revokes. Their issuer is that of ``RevocationTerms``.
public enum RevokedTokens: Hashable, Sendable {
    /// Those with this `sid`.
    case session(String)
    /// Those with one of these `sid`.
    case sessions([String])
    /// Those with this `sub` that were issued before the date.
    case subject(String, issuedBefore: NumericDate)
}

/// What an event does.
public enum EventEffect: Hashable, Sendable {
    case revokes(RevokedTokens)
    /// The event is about the stream, and about no token.
    case notice
    /// Of another type, or a change of a credential where the terms let it revoke nothing.
    case ignored
    /// The subject is one of another issuer than the terms name.
    case anotherIssuer
    /// The subject is of a kind that names neither a session nor a user of the issuer.
    case unknownSubject

    /// The name in metrics.
    public var name: String {
        switch self {
        case .revokes: "revokes"
        case .notice: "notice"
        case .ignored: "ignored"
        case .anotherIssuer: "another_issuer"
        case .unknownSubject: "unknown_subject"
        }
    }
}
