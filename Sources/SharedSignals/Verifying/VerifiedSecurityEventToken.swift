public import JWTCore

/// A verified security event token (RFC 8417 section 2). Only ``SecurityEventVerifier`` makes one.
public struct VerifiedSecurityEventToken: Hashable, Sendable {
    /// `iss`: the transmitter.
    public let issuer: String
    /// `jti`: the token's name, which a retry keeps.
    public let tokenID: String
    /// `iat`.
    public let issuedAt: NumericDate
    /// `aud`.
    public let audiences: [String]
    /// `txn`: the transaction that the events belong to.
    public let transaction: String?
    /// `sub_id` (RFC 9493 section 4.1).
    public let subject: SubjectIdentifier?
    /// `events`, at least one, in the token's order.
    public let events: [SecurityEvent]

    /// - Throws: `missing_events`, `invalid_events`, `too_many_events`, `invalid_event`, `unexpected_subject`, `missing_subject`,
    ///   `invalid_subject`, `invalid_text`.
    init(_ claims: borrowing Claims, limits: SecurityEventLimits) throws(SecurityEventError) {
        // The Shared Signals Framework (section 4.1) forbids `sub`: no reader may take the token for one about its user.
        guard claims[.subject] == nil else { throw SecurityEventError(.unexpectedSubject) }
        issuer = try Self.text(claims, .issuer, limits)
        tokenID = try Self.text(claims, .tokenID, limits)
        guard let date = claims.issuedAt else { throw SecurityEventError(refusing: VerificationError(.missingClaim, claim: .issuedAt)) }
        issuedAt = date
        audiences = try Self.audiences(claims, limits)
        transaction = try claims.value.text("txn", .invalidText, limits)
        events = try SecurityEvent.list(in: claims, limits)
        subject = try Self.subject(claims, limits)
        if subject == nil, events.contains(where: \.needsSubject) { throw SecurityEventError(.missingSubject) }
    }

    private static func text(
        _ claims: borrowing Claims, _ claim: RegisteredClaim, _ limits: SecurityEventLimits
    ) throws(SecurityEventError) -> String {
        guard let value = claims[claim] else { throw SecurityEventError(refusing: VerificationError(.missingClaim, claim: claim)) }
        return try value.text(.invalidText, limits)
    }

    private static func audiences(
        _ claims: borrowing Claims, _ limits: SecurityEventLimits
    ) throws(SecurityEventError) -> [String] {
        guard let audience = claims.audience else { return [] }
        guard audience.isArray else { return [try audience.text(.invalidText, limits)] }
        var names: [String] = []
        for place in 0..<audience.count {
            if let name = audience[place] { names.append(try name.text(.invalidText, limits)) }
        }
        return names
    }

    private static func subject(
        _ claims: borrowing Claims, _ limits: SecurityEventLimits
    ) throws(SecurityEventError) -> SubjectIdentifier? {
        guard let value = claims["sub_id"] else { return nil }
        return try SubjectIdentifier(value, limits)
    }
}

extension VerifiedSecurityEventToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of events. No claim is in it.
    public var description: String { "VerifiedSecurityEventToken(events: \(events.count))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
