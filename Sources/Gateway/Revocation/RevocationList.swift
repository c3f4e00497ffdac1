public import JWTCore

/// Tokens that are refused although their signatures and dates are good. An entry applies to one issuer, or to all.
public struct RevocationList: Sendable {
    public var entries: [Entry]

    public struct Entry: Hashable, Sendable {
        /// Nil: every issuer.
        public var issuer: String?
        public var subject: Subject
        /// From then on no token can be good that the entry applies to, so the entry may be dropped. It is the receiver's to add the leeway of
        /// its policies. Nil: never.
        public var until: NumericDate?

        public init(issuer: String? = nil, until: NumericDate? = nil, _ subject: Subject) {
            self.issuer = issuer
            self.until = until
            self.subject = subject
        }
    }

    public enum Subject: Hashable, Sendable {
        case keyID(String)
        /// A token without `sub` is not revoked by it, and so for ``tokenID(_:)`` and ``sessionID(_:)``: require the claim.
        case subject(String)
        case tokenID(String)
        /// Every token of the subject that was issued before this time, and every one without `iat`.
        case subjectBefore(String, NumericDate)
        /// `sid`, the login session (OpenID Connect Front-Channel Logout 1.0 section 3).
        case sessionID(String)
        /// Every token issued before this time, and every token without `iat`.
        case issuedBefore(NumericDate)
    }

    public init(_ entries: [Entry] = []) { self.entries = entries }
}
