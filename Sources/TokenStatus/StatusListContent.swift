internal import JWTCore

/// The claims of a Status List Token (draft-ietf-oauth-status-list-20 sections 4.2 and 5.1), checked, with the list still compressed.
struct StatusListContent {
    let size: StatusSize
    let issuedAt: NumericDate
    let timeToLive: Duration?
    private let compressed: [UInt8]

    /// - Throws: `token_refused`, before anything else; `missing_status_list`, `invalid_status_list`, `invalid_bits`,
    ///   `invalid_time_to_live`, `invalid_encoding`.
    init(_ claims: borrowing Claims, uri: String, now: NumericDate, leeway: Duration) throws(StatusListError) {
        issuedAt = try Self.issuedAt(claims, uri, now, leeway)
        guard let list = claims["status_list"] else { throw StatusListError(.missingStatusList) }
        guard list.isObject, list["aggregation_uri"]?.isString ?? true else { throw StatusListError(.invalidStatusList) }
        size = try Self.size(in: list)
        timeToLive = try Self.timeToLive(in: claims)
        compressed = try Self.compressed(in: list)
    }

    /// The list.
    ///
    /// - Throws: as ``InflateStream/content(of:limit:)``.
    func bytes(limit: Int) throws(StatusListError) -> [UInt8] {
        var stream = try InflateStream()
        // A limit is a number of bytes in memory.
        return try stream.content(of: compressed, limit: min(max(limit, 0), Int.max - 1))
    }

    private static func issuedAt(
        _ claims: borrowing Claims, _ uri: String, _ now: NumericDate, _ leeway: Duration
    ) throws(StatusListError) -> NumericDate {
        do throws(VerificationError) {
            try claims.requireStatusList(of: uri, now: now, leeway: leeway)
            guard let date = claims.issuedAt else { throw VerificationError(.missingClaim, claim: .issuedAt) }
            return date
        } catch {
            throw StatusListError(refusing: error)
        }
    }

    private static func size(in list: borrowing JSONValue) throws(StatusListError) -> StatusSize {
        guard let bits = list["bits"] else { throw StatusListError(.invalidStatusList) }
        guard let number = bits.number?.int64, let size = StatusSize(rawValue: Int(clamping: number)) else {
            throw StatusListError(.invalidBits)
        }
        return size
    }

    private static func timeToLive(in claims: borrowing Claims) throws(StatusListError) -> Duration? {
        guard let claim = claims["ttl"] else { return nil }
        guard let seconds = claim.number?.int64, seconds > 0 else { throw StatusListError(.invalidTimeToLive) }
        return .seconds(seconds)
    }

    private static func compressed(in list: borrowing JSONValue) throws(StatusListError) -> [UInt8] {
        guard let text = list["lst"]?.string else { throw StatusListError(.invalidStatusList) }
        do throws(VerificationError) {
            guard text.isEscaped else { return try Base64URL.bytes(text.raw) }
            let unescaped = text.utf8
            return try Base64URL.bytes(unescaped.span)
        } catch {
            throw StatusListError(.invalidEncoding)
        }
    }
}

extension JSONValue {
    fileprivate var isString: Bool { kind == .string }
}
