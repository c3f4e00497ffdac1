public import JWTCore

/// Tokens that are refused although their signatures and dates are good. An entry applies to one issuer, or to all.
public struct RevocationList: Sendable {
    public var entries: [Entry]

    public struct Entry: Hashable, Sendable {
        /// Nil: every issuer.
        public var issuer: String?
        public var subject: Subject

        public init(issuer: String? = nil, _ subject: Subject) {
            self.issuer = issuer
            self.subject = subject
        }
    }

    public enum Subject: Hashable, Sendable {
        case keyID(String)
        /// A token without `sub` is not revoked by it, and so for ``tokenID(_:)`` and ``sessionID(_:)``: require the claim.
        case subject(String)
        case tokenID(String)
        /// `sid`, the login session (OpenID Connect Front-Channel Logout 1.0 section 3).
        case sessionID(String)
        /// Every token issued before this time, and every token without `iat`.
        case issuedBefore(NumericDate)
    }

    public init(_ entries: [Entry] = []) { self.entries = entries }
}
