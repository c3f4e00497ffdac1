public import JWTCore

/// The limits of a security event token. Each default has its reason.
public struct SecurityEventLimits: Hashable, Sendable {
    /// Of the token that has the events.
    public var token = TokenLimits.standard
    /// Members of `events`. 8: the Shared Signals Framework wants one, and RFC 8417 section 2 allows several for one state change.
    public var events = 8
    /// Bytes of `jti`, of `txn`, of the name of an event and of each identifier. 1,024: `sub` has at most 255 (OpenID Connect Core section 2).
    public var textBytes = 1_024

    public init() {}

    public static let standard = Self()
}
