public import JWTCore

/// The trusted issuers, each with its own keys, algorithms and audiences: a closed map. A token can only look up its issuer in it. A `kid`
/// is only valid within its issuer.
///
/// The token's issuer is read before its signature is verified, and looked up in the map. An issuer that is not in the map is refused
/// (`issuer_mismatch`) before any cryptography. Key sets are fetched when first needed, unless required.
///
/// ```swift
/// let issuers = TrustedIssuers(
///     [IssuerConfiguration("https://idp.example", policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))],
///     transport: try HTTPTransport())
/// let token = try issuers.verify(text)
/// ```
@safe
public final class TrustedIssuers: TokenRouter, @unchecked Sendable {
    private let issuers: [TrustedIssuer]
    /// The routes of ``issuers``, lent without reference counting.
    private let routes: [Unmanaged<TokenRoute<RemoteKeySet>>]
    private let index: NameIndex
    private let tenants: TenantIssuers
    private let surroundings: TrustedIssuer.Surroundings

    /// Upper limits.
    public struct Limits: Sendable {
        /// Bytes of key set documents of issuers that are not required. Above it the least recently used ones are dropped, until they are
        /// needed again.
        public var documentBytes = 64 << 20
        /// Tenants of templates.
        public var tenants = 1_024

        public init() {}
    }

    /// - Parameters:
    ///   - issuers: the closed map. Of two with one name the first counts.
    ///   - templates: issuers that differ only in their tenant.
    ///   - limits: upper limits for issuers and documents.
    ///   - transport: fetches the documents.
    ///   - clock: measures the age of keys.
    ///   - date: gives the time that tokens are judged for.
    ///   - observer: receives every event of every key set.
    public convenience init(
        _ issuers: [IssuerConfiguration], templates: [IssuerTemplate] = [], limits: Limits = Limits(), transport: any DocumentTransport,
        clock: any ElapsedClock = SystemElapsedClock(), date: any UnixClock = SystemClock(),
        observer: (@Sendable (RefreshEvent) -> Void)? = nil
    ) {
        let surroundings = TrustedIssuer.Surroundings(
            transport: transport, clock: clock, date: date, budget: DocumentBudget(limit: limits.documentBytes), observer: observer)
        self.init(
            issuers.map { TrustedIssuer($0, surroundings) }, TenantIssuers(templates, capacity: limits.tenants, surroundings), surroundings)
    }

    private init(_ issuers: [TrustedIssuer], _ tenants: TenantIssuers, _ surroundings: TrustedIssuer.Surroundings) {
        self.issuers = issuers
        unsafe routes = issuers.map { unsafe .passUnretained($0.route) }
        index = NameIndex(issuers.map(\.issuer))
        self.tenants = tenants
        self.surroundings = surroundings
    }

    /// A copy with another map: unchanged issuers keep their keys and their probe budget. Replace the old map by the new one everywhere.
    public func replacing(_ configurations: [IssuerConfiguration]) -> TrustedIssuers {
        let known = Dictionary(issuers.map { (Array($0.issuer.utf8), $0) }, uniquingKeysWith: { first, _ in first })
        let next = configurations.map { configuration in
            if let old = known[Array(configuration.issuer.utf8)], old.configuration.hasSameKeys(as: configuration) {
                return TrustedIssuer(keysOf: old, configuration)
            }
            return TrustedIssuer(configuration, surroundings)
        }
        return TrustedIssuers(next, tenants, surroundings)
    }

    // Routing

    public func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<RemoteKeySet>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let place = index.first(issuer)
        // SAFETY: `issuers` retains every route of `routes`, and does not change.
        if place >= 0 { return try unsafe routes[place].lend(body) }
        guard !tenants.templates.isEmpty else { throw VerificationError(.issuerMismatch, claim: .issuer) }
        return try body(try tenants.tenant(issuer.string).route)
    }

    /// The keys of the issuer that `token` names, if it is in the map or a known tenant.
    func keys(for token: [UInt8]) -> RemoteKeySet? {
        guard let issuer = (try? UnverifiedClaims(reading: token.span))?.issuer else { return nil }
        let place = index.first(JSONString(issuer.utf8.span, isEscaped: false))
        return place >= 0 ? issuers[place].keys : tenants[issuer]?.keys
    }

    // Verifying

    /// Verifies `token` with the policy and the keys of its issuer, and lends its claims to `body`.
    ///
    /// - Throws: why the token is refused.
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token, now: now ?? surroundings.date.now, limits: .standard, body)
    }

    /// Verifies `token` with the policy and the keys of its issuer, and returns a copy of its content.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: String, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.utf8.span, now: now)
    }

    /// Verifies `token` with the policy and the keys of its issuer, and returns a copy of its content.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: Span<UInt8>, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token, now: now ?? surroundings.date.now, limits: .standard)
    }

    // Readiness

    /// Whether every required issuer has keys. Fetches nothing.
    public var isReady: Bool { issuers.allSatisfy { !$0.isRequired || $0.keys.isReady } }

    /// Waits until every required issuer has keys, at most for `limit`.
    public func ready(within limit: Duration) async -> Bool {
        let clock = surroundings.clock
        let deadline = clock.elapsed + limit
        for issuer in issuers where issuer.isRequired {
            guard await issuer.keys.ready(within: max(.zero, deadline - clock.elapsed)) else { return false }
        }
        return true
    }

    /// The key sets of the map, and those of known tenants.
    public var keySets: [RemoteKeySet] { issuers.map(\.keys) + tenants.all.map(\.keys) }
}

extension IssuerConfiguration {
    /// Whether both can use the same key set.
    func hasSameKeys(as other: Self) -> Bool {
        source == other.source && failover == other.failover && refresh == other.refresh && storage == other.storage
            && isRequired == other.isRequired
    }
}
