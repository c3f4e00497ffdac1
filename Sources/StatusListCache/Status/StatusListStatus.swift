internal import JWKSCache
public import JWTCore
internal import TokenStatus

/// The state of one list at one moment, for status pages. No status of a token is in it. Durations count from that moment.
public struct StatusListStatus: Hashable, Sendable {
    /// The issuer of the tokens.
    public let issuer: String
    /// Without the query, which may be confidential.
    public let uri: String
    /// `iat` of the accepted list; nil without one.
    public let issuedAt: NumericDate?
    /// Bytes of the accepted list, decompressed.
    public let bytes: Int
    /// The time since the end of the last fetch that brought or confirmed a list; nil before the first.
    public let sinceSuccess: Duration?
    /// The remaining time that the list is accepted if its source fails; nil without one.
    public let acceptedFor: Duration?
    /// The time since its last use, to the second.
    public let sinceUse: Duration
    public let isFetching: Bool
    /// Failed fetches since the last success.
    public let failures: Int
    /// Why the last of them failed: ``StatusListFailure/code``.
    public let lastFailure: String?
    /// When the next fetch is due. For an address from which no list came, a token must ask for it then.
    public let nextFetchIn: Duration

    init(_ list: ListState, of issuer: String, now: Duration) {
        self.issuer = issuer
        uri = String(list.uri.prefix { $0 != "?" })
        issuedAt = list.list?.issuedAt
        bytes = list.bytes
        sinceSuccess = list.succeededAt.map { now - $0 }
        acceptedFor = list.endsAt.map { max(.zero, $0 - now) }
        sinceUse = max(.zero, now - list.use.last)
        isFetching = list.state.flight != nil
        failures = list.state.failures
        lastFailure = list.lastFailure?.code
        nextFetchIn = max(.zero, list.state.nextDue - now)
    }
}
