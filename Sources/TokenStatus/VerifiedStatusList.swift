public import JWTCore

/// The statuses in a verified Status List Token (draft-ietf-oauth-status-list-20 section 4), decompressed. Only `Claims` make one, so
/// there is none without a verification.
///
/// It is an immutable object, as a `KeySet` is: a program that looks up a status copies neither the list nor its texts.
public final class VerifiedStatusList: Sendable {
    /// Bytes of a list before compression. 1 MiB: eight million tokens with one bit each, and the largest of the draft's test vectors.
    public static let maximumBytes = 1 << 20

    private let statuses: PackedStatuses
    /// `sub`: where the list is.
    public let uri: String
    /// `iss`, if the token has one. The draft does not require it.
    public let issuer: String?
    /// `iat`.
    public let issuedAt: NumericDate
    /// `exp`: from then on nothing may be concluded from the list.
    public let expiration: NumericDate?
    /// `ttl`: how long after it was fetched the list should be fetched again.
    public let timeToLive: Duration?

    /// Reads the list in a verified token. Whatever policy the token was verified by, it must be the Status List Token for `uri`: with
    /// `typ`, `sub` and `iat`, not expired, and not from the future.
    ///
    /// - Parameters:
    ///   - claims: of the token that has the list.
    ///   - uri: what the referenced token names: `StatusReference.uri`.
    ///   - now: the time to judge for.
    ///   - leeway: how far clocks may differ, in whole seconds.
    ///   - maximumBytes: the limit of the list before compression. Decompression ends where the list exceeds it.
    /// - Throws: why the list is refused.
    public init(
        _ claims: borrowing Claims, uri: String, now: NumericDate, leeway: Duration = .seconds(60),
        maximumBytes: Int = VerifiedStatusList.maximumBytes
    ) throws(StatusListError) {
        let content = try StatusListContent(claims, uri: uri, now: now, leeway: leeway)
        statuses = PackedStatuses(try content.bytes(limit: maximumBytes), size: content.size)
        self.uri = uri
        issuer = claims.issuer?.string
        issuedAt = content.issuedAt
        expiration = claims.expiration
        timeToLive = content.timeToLive
    }

    /// The size of each status: 1, 2, 4 or 8 bits.
    public var bits: Int { statuses.size.rawValue }

    /// The number of statuses: those that fit into the list's bytes, of which the last may belong to no token.
    public var count: Int { statuses.count }

    /// The status of the token whose `StatusReference.index` is `index`: 0 is valid, 1 invalid, 2 suspended (section 7.1). Nil if it is
    /// not in the list: then the token must be refused (section 8.3).
    ///
    /// It allocates nothing, takes no lock and counts no reference.
    public func status(at index: Int) -> UInt8? { statuses.status(at: index) }

    /// Whether the list has not expired.
    ///
    /// - Parameters:
    ///   - now: the time to judge for.
    ///   - leeway: how far clocks may differ, in whole seconds.
    public func isCurrent(at now: NumericDate, leeway: Duration = .seconds(60)) -> Bool {
        guard let expiration else { return true }
        return now < expiration.advanced(by: leeway)
    }
}

extension VerifiedStatusList: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size. No claim and no status is in it.
    public var description: String { "VerifiedStatusList(\(bits) bits, \(statuses.byteCount) bytes)" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
