public import JWTCore

/// The issuers that are trusted, each with its own keys, algorithms and audiences: a closed map, in which a token can look its issuer
/// up and nothing else. A `kid` means something within its issuer alone.
///
/// Which issuer a token names is read before its signature is verified, from a map that was there before the token; an issuer that is
/// not in it is refused (`issuer_mismatch`) before any cryptography. Key sets are fetched when first wanted, unless required.
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
    /// Those of ``issuers``, to be lent without a reference counted.
    private let routes: [Unmanaged<TokenRoute<RemoteKeySet>>]
    private let index: NameIndex
    private let templates: [IssuerTemplate]
    private let tenants: Locked<TenantIssuers>
    private let surroundings: TrustedIssuer.Surroundings
    private let date: any UnixClock

    /// How much may be held.
    public struct Limits: Sendable {
        /// Bytes of key set documents of issuers that are not required. Beyond it the least recently used ones are dropped, until they
        /// are wanted again.
        public var documentBytes = 64 << 20
        /// Tenants of templates.
        public var tenants = 1_024

        public init() {}
    }

    /// - Parameters:
    ///   - issuers: the closed map. Of two with one name the first counts.
    ///   - templates: issuers that differ in their tenant alone.
    ///   - observer: is told every transition of every key set.
    public convenience init(
        _ issuers: [IssuerConfiguration], templates: [IssuerTemplate] = [], limits: Limits = Limits(), transport: any DocumentTransport,
        clock: any ElapsedClock = SystemElapsedClock(), date: any UnixClock = SystemClock(),
        observer: (@Sendable (RefreshEvent) -> Void)? = nil
    ) {
        let surroundings = TrustedIssuer.Surroundings(
            transport: transport, clock: clock, budget: DocumentBudget(limit: limits.documentBytes), observer: observer)
        let trusted = issuers.map { TrustedIssuer($0, surroundings) }
        self.init(trusted, templates, Locked(TenantIssuers(capacity: limits.tenants)), surroundings, date)
    }

    private init(
        _ issuers: [TrustedIssuer], _ templates: [IssuerTemplate], _ tenants: Locked<TenantIssuers>,
        _ surroundings: TrustedIssuer.Surroundings, _ date: any UnixClock
    ) {
        self.issuers = issuers
        unsafe routes = issuers.map { unsafe .passUnretained($0.route) }
        index = NameIndex(issuers.map(\.issuer))
        self.templates = templates
        self.tenants = tenants
        self.surroundings = surroundings
        self.date = date
    }

    /// The same with another map: what has not changed keeps its keys, and its place in the probe budget. Exchange the one for the other
    /// wherever it is held.
    public func replacing(_ configurations: [IssuerConfiguration]) -> TrustedIssuers {
        let known = Dictionary(issuers.map { (Array($0.issuer.utf8), $0) }, uniquingKeysWith: { first, _ in first })
        let next = configurations.map { configuration in
            if let old = known[Array(configuration.issuer.utf8)], old.configuration.hasSameKeys(as: configuration) {
                return TrustedIssuer(keysOf: old, configuration)
            }
            return TrustedIssuer(configuration, surroundings)
        }
        return TrustedIssuers(next, templates, tenants, surroundings, date)
    }

    // Routing

    public func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<RemoteKeySet>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let place = index.first(issuer)
        // SAFETY: `issuers` holds every route of `routes`, and does not change.
        if place >= 0 { return try unsafe routes[place].lend(body) }
        guard !templates.isEmpty else { throw VerificationError(.issuerMismatch, claim: .issuer) }
        return try body(try tenant(issuer.string).route)
    }

    private func tenant(_ issuer: String) throws(VerificationError) -> TrustedIssuer {
        if let known = tenants.withLock({ $0[issuer] }) { return known }
        guard let configuration = templates.lazy.compactMap({ $0.configuration(of: issuer) }).first else {
            throw VerificationError(.issuerMismatch, claim: .issuer)
        }
        let now = surroundings.clock.elapsed
        let made = tenants.withLock { tenants in
            Swift.Result { () throws(VerificationError) in
                if let known = tenants[issuer] { return known }
                return try tenants.add(issuer, now: now) { TrustedIssuer(configuration, surroundings) }
            }
        }
        return try made.get()
    }

    /// The keys of the issuer that `token` names, if it is in the map or tokens of it have been seen.
    func keys(for token: [UInt8]) -> RemoteKeySet? {
        guard let issuer = (try? UnverifiedClaims(reading: token.span))?.issuer else { return nil }
        let place = index.first(JSONString(issuer.utf8.span, isEscaped: false))
        return place >= 0 ? issuers[place].keys : tenants.withLock { $0[issuer]?.keys }
    }

    // Verifying

    /// Verifies `token` by the policy and the keys of the issuer it names, and lends its claims to `body`.
    ///
    /// - Throws: why the token is refused.
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token, now: now ?? date.now, limits: .standard, body)
    }

    /// Verifies `token` by the policy and the keys of the issuer it names, and keeps a copy of what it says.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: String, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.utf8.span, now: now)
    }

    /// Verifies `token` by the policy and the keys of the issuer it names, and keeps a copy of what it says.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: Span<UInt8>, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token, now: now ?? date.now, limits: .standard)
    }

    // Readiness

    /// Whether every required issuer has keys. Fetches nothing.
    public var isReady: Bool { issuers.allSatisfy { !$0.isRequired || $0.keys.isReady } }

    /// Waits until every required issuer has keys, or the time is over.
    public func ready(within limit: Duration) async -> Bool {
        let clock = surroundings.clock
        let deadline = clock.elapsed + limit
        for issuer in issuers where issuer.isRequired {
            guard await issuer.keys.ready(within: max(.zero, deadline - clock.elapsed)) else { return false }
        }
        return true
    }

    /// The key sets of the map, and those of tenants that have been seen.
    public var keySets: [RemoteKeySet] { issuers.map(\.keys) + tenants.withLock { $0.all.map(\.keys) } }
}

extension IssuerConfiguration {
    /// Whether a key set made for the one serves the other.
    func hasSameKeys(as other: Self) -> Bool {
        source == other.source && failover == other.failover && refresh == other.refresh && storage == other.storage
            && isRequired == other.isRequired
    }
}
