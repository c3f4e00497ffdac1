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
///     transport: try GuardedClient())
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
    /// The values of one login; nil for tokens of any login.
    private let expectation: LoginExpectation?

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
    ///   - transport: fetches the documents of issuers without a transport of their own.
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

    private init(
        _ issuers: [TrustedIssuer], _ tenants: TenantIssuers, _ surroundings: TrustedIssuer.Surroundings,
        expecting expectation: LoginExpectation? = nil
    ) {
        self.issuers = issuers
        self.expectation = expectation
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
        return TrustedIssuers(next, tenants, surroundings, expecting: expectation)
    }

    // One login

    /// The same issuers for one login: the token's `nonce` must be the one sent in the authentication request.
    ///
    /// - Parameter nonce: the nonce of this login. It is not optional, so that a lost session cannot skip the check.
    public func expecting(nonce: String) -> TrustedIssuers { forOneLogin { $0.nonce = nonce } }

    /// The same issuers for one login: the id_token's `at_hash` must be the hash of the access token received with it.
    public func expecting(accessToken: String) -> TrustedIssuers { forOneLogin { $0.accessToken = accessToken } }

    /// The same issuers for one login: the id_token's `c_hash` must be the hash of the code received with it.
    public func expecting(code: String) -> TrustedIssuers { forOneLogin { $0.code = code } }

    private func forOneLogin(_ require: (inout LoginExpectation) -> Void) -> TrustedIssuers {
        var expectation = expectation ?? LoginExpectation()
        require(&expectation)
        return TrustedIssuers(issuers, tenants, surroundings, expecting: expectation)
    }

    // Routing

    @specialized(where Result == Void)
    public func withRoute<Result>(
        _ issuer: borrowing JSONString, _ body: (TokenRoute<RemoteKeySet>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        try lendRoute(of: issuer, body)
    }

    /// A function of its own: code for any result asks the runtime for types as soon as it is entered.
    @inline(never)
    private func lendRoute<Result>(
        of issuer: borrowing JSONString, _ body: (TokenRoute<RemoteKeySet>) throws(VerificationError) -> Result
    ) throws(VerificationError) -> Result {
        let place = index.first(issuer)
        if let expectation {
            return try body(expectation.route(place >= 0 ? issuers[place].route : try tenantRoute(issuer)))
        }
        // SAFETY: `issuers` retains every route of `routes`, and does not change.
        if place >= 0 { return try unsafe routes[place].lend(body) }
        return try body(try tenantRoute(issuer))
    }

    private func tenantRoute(_ issuer: borrowing JSONString) throws(VerificationError) -> TokenRoute<RemoteKeySet> {
        guard !tenants.templates.isEmpty else { throw VerificationError(.issuerMismatch, claim: .issuer) }
        return try tenants.tenant(issuer.string).route
    }

    /// The keys of the issuer that `token` names, if it is in the map or a known tenant.
    func keys(for token: [UInt8]) -> RemoteKeySet? {
        do throws(VerificationError) {
            return try CompactToken(parsing: token.span).withUnverifiedIssuer(.standard) { issuer in keys(of: issuer.string) }
        } catch {
            return nil
        }
    }

    private func known(_ issuer: String) -> TrustedIssuer? {
        let place = index.first(JSONString(issuer.utf8.span, isEscaped: false))
        return place >= 0 ? issuers[place] : tenants[issuer]
    }

    /// The keys of `issuer`, byte for byte; nil if it is neither in the map nor a tenant that a token has named. Fetches nothing.
    public func keys(of issuer: String) -> RemoteKeySet? { known(issuer)?.keys }

    /// The state of the keys of `issuer`, byte for byte; nil if it is neither in the map nor a tenant that a token has named. Fetches nothing.
    public func status(of issuer: String) -> KeySetStatus? { known(issuer)?.keys.status }

    // Verifying

    /// Verifies `token` with the policy and the keys of its issuer, and lends its claims to `body`.
    ///
    /// - Throws: why the token is refused.
    @inlinable
    public func withVerified<Result>(
        _ token: Span<UInt8>, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token, now: now ?? currentDate, limits: .standard, body)
    }

    /// The time that tokens are judged for if the caller names none.
    @usableFromInline var currentDate: NumericDate { surroundings.date.now }

    /// Verifies a token in a `String`, and lends its claims to `body`.
    @inlinable
    public func withVerified<Result>(
        _ token: String, now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token.utf8.span, now: now, body)
    }

    /// Verifies a token in an array of bytes, and lends its claims to `body`.
    @inlinable
    public func withVerified<Result>(
        _ token: [UInt8], now: NumericDate? = nil, _ body: (borrowing Claims) -> Result
    ) throws(VerificationError) -> Result {
        try withVerified(token.span, now: now, body)
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
    public func verify(_ token: [UInt8], now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token.span, now: now)
    }

    /// Verifies `token` with the policy and the keys of its issuer, and returns a copy of its content.
    ///
    /// - Throws: why the token is refused.
    public func verify(_ token: Span<UInt8>, now: NumericDate? = nil) throws(VerificationError) -> VerifiedToken {
        try verify(token, now: now ?? surroundings.date.now, limits: .standard)
    }

    /// Explains to a developer why `token` was refused, as `TokenVerifier.explanation(of:token:now:)` does for the issuer it names. For an
    /// issuer that is not known, there are no keys, so nothing of the token is told.
    public func explanation(of error: VerificationError, token: [UInt8], now: NumericDate? = nil) -> String {
        guard let issuer = (try? UnverifiedClaims(reading: token))?.issuer, let route = known(issuer)?.route else {
            guard error.code.number < 500, let wrapping = TokenWrapping(of: token.span) else { return error.description }
            return "\(error.description); \(wrapping.sentence)"
        }
        let verifier = TokenVerifier(keys: route.keys, policy: route.policy, clock: surroundings.date)
        return verifier.explanation(of: error, token: token, now: now)
    }

    /// Explains why a token in a `String` was refused.
    public func explanation(of error: VerificationError, token: String, now: NumericDate? = nil) -> String {
        explanation(of: error, token: Array(token.utf8), now: now)
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
    /// Whether both can use the same key set, if they are of one issuer.
    package func hasSameKeys(as other: Self) -> Bool {
        hasSameSources(as: other) && isRequired == other.isRequired
    }

    /// The same for keys that can begin to load later.
    package func hasSameSources(as other: Self) -> Bool {
        source == other.source && failover == other.failover && refresh == other.refresh && storage == other.storage
            && transport === other.transport
    }
}
