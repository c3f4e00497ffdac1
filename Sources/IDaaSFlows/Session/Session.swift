internal import IDaaSWire
internal import JWTCore

/// A login: the tokens of the server, and their lifetimes. A holder of a session can act as its user.
public struct Session: Codable, Hashable, Sendable {
    public let sessionToken: String
    /// Unverified: see ``IDTokenVerification``.
    public let idToken: String
    /// When the session token expires unless it is used, in seconds since 1970 by the server's clock; nil if the server did not say.
    public let expiresAt: Int64?
    /// When the id_token was received, by the same clock.
    public let renewedAt: Int64
    /// When the id_token expires, by the same clock.
    public let idTokenExpiresAt: Int64
    /// The tenant and the client of the session. Its tokens are sent to no other.
    public let domain: String
    public let clientID: String

    /// Reads the reply to a login or a refresh. A refresh may omit the session token; the old one stays then.
    ///
    /// - Returns: nil for a reply without the tokens.
    init?(_ reply: WireValue, _ configuration: FlowConfiguration, renewing old: Session? = nil, now: Int64) {
        guard let idToken = reply[WireMember.idToken]?.filled,
            let sessionToken = reply[WireMember.sessionToken]?.filled ?? old?.sessionToken
        else { return nil }
        self.idToken = idToken
        self.sessionToken = sessionToken
        domain = configuration.domain
        clientID = configuration.clientID
        renewedAt = now
        expiresAt = Self.sum(now, reply[WireMember.expire]?.integer) ?? old?.expiresAt
        idTokenExpiresAt = Self.sum(now, reply[WireMember.idTokenLifetime]?.integer) ?? Self.expiry(of: idToken) ?? now + Self.usualLifetime
    }

    /// Reads a stored session.
    ///
    /// - Throws: `DecodingError` where a member is missing, or a time is none: before 1970 or after the year 9999.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) throws -> Int64 {
            let seconds = try members.decode(Int64.self, forKey: key)
            guard Self.times.contains(seconds) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: members, debugDescription: "not a time")
            }
            return seconds
        }
        sessionToken = try members.decode(String.self, forKey: .sessionToken)
        idToken = try members.decode(String.self, forKey: .idToken)
        expiresAt = members.contains(.expiresAt) ? try time(.expiresAt) : nil
        renewedAt = try time(.renewedAt)
        idTokenExpiresAt = try time(.idTokenExpiresAt)
        domain = try members.decode(String.self, forKey: .domain)
        clientID = try members.decode(String.self, forKey: .clientID)
    }

    /// A session of which only the token is known.
    init(sessionToken: String, _ configuration: FlowConfiguration) {
        self.sessionToken = sessionToken
        domain = configuration.domain
        clientID = configuration.clientID
        idToken = ""
        expiresAt = nil
        renewedAt = 0
        idTokenExpiresAt = 0
    }

    /// What a stored time may be: up to 9999-12-31T23:59:59Z. So no difference of two overflows.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// The vendor's default for an id_token.
    private static let usualLifetime: Int64 = 7_200

    private static func sum(_ now: Int64, _ seconds: Int64?) -> Int64? {
        guard let seconds, (1...10_000_000_000).contains(seconds) else { return nil }
        return now + seconds
    }

    /// The token's own expiry, unverified. It only decides when to request another token.
    private static func expiry(of token: String) -> Int64? {
        guard let claims = try? UnverifiedClaims(reading: token.utf8.span) else { return nil }
        return claims.value["exp"]?.date?.seconds
    }

    /// Whether the next use replaces the id_token: less than a minute or a tenth of its lifetime is left.
    public func needsRenewal(at now: Int64) -> Bool { idTokenExpiresAt - now < max(60, (idTokenExpiresAt - renewedAt) / 10) }

    /// Whether the id_token has expired.
    public func isIDTokenExpired(at now: Int64) -> Bool { now >= idTokenExpiresAt }

    /// Whether the session token has expired.
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
