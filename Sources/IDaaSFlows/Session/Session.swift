internal import JWTCore

/// A login: what the server gave for it, and until when. A value; whoever holds one can act as its user.
public struct Session: Codable, Hashable, Sendable {
    public let sessionToken: String
    /// Unverified: see ``IDTokenVerification``.
    public let idToken: String
    /// When the session token dies unless it is used, in seconds since 1970 by the server's clock; nil where the server did not say.
    public let expiresAt: Int64?
    /// When the id_token was received and when it expires, by the same clock.
    public let renewedAt: Int64
    public let idTokenExpiresAt: Int64
    /// Whose it is: it is never sent to anybody else.
    public let domain: String
    public let clientID: String

    /// Reads a reply of login or refresh. A reply to a refresh may lack the session token: then the old one stays.
    ///
    /// - Returns: nil for a reply without what makes a session.
    init?(_ reply: WireValue, _ configuration: FlowConfiguration, renewing old: Session? = nil, now: Int64) {
        guard let idToken = reply["id_token"]?.filled, let sessionToken = reply["session_token"]?.filled ?? old?.sessionToken else {
            return nil
        }
        self.idToken = idToken
        self.sessionToken = sessionToken
        domain = configuration.domain
        clientID = configuration.clientID
        renewedAt = now
        expiresAt = Self.sum(now, reply["expire"]?.integer) ?? old?.expiresAt
        idTokenExpiresAt = Self.sum(now, reply["id_token_expires_in"]?.integer) ?? Self.expiry(of: idToken) ?? now + Self.usualLifetime
    }

    /// A session of which no more is known than its token.
    init(sessionToken: String, _ configuration: FlowConfiguration) {
        self.sessionToken = sessionToken
        domain = configuration.domain
        clientID = configuration.clientID
        idToken = ""
        expiresAt = nil
        renewedAt = 0
        idTokenExpiresAt = 0
    }

    /// The vendor's default for an id_token.
    private static let usualLifetime: Int64 = 7_200

    private static func sum(_ now: Int64, _ seconds: Int64?) -> Int64? {
        guard let seconds, (1...10_000_000_000).contains(seconds) else { return nil }
        return now + seconds
    }

    /// What the token says of its own end: good for deciding when to ask for another, and for nothing else.
    private static func expiry(of token: String) -> Int64? {
        guard let claims = try? UnverifiedClaims(reading: token.utf8.span) else { return nil }
        return claims.value["exp"]?.date?.seconds
    }

    /// Whether the id_token should be replaced when somebody wants it: less than a minute or a tenth of its life is left.
    public func isDue(at now: Int64) -> Bool { idTokenExpiresAt - now < max(60, (idTokenExpiresAt - renewedAt) / 10) }

    public func isIDTokenExpired(at now: Int64) -> Bool { now >= idTokenExpiresAt }

    /// Whether the session token must be dead by now.
    public func isExpired(at now: Int64) -> Bool { expiresAt.map { now >= $0 } ?? false }

    func belongs(to configuration: FlowConfiguration) -> Bool {
        domain == configuration.domain && clientID == configuration.clientID
    }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible {
    /// Digests, not tokens.
    public var description: String { "session \(Masked.token(sessionToken)), id_token \(Masked.token(idToken))" }
    public var debugDescription: String { description }
}
