import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTSigning
import JWTTestSupport
import ReplayMemory

/// A core with loaded keys, a clock that stands still and no network. Issuer `a` signs with the pool's first key, `b` with the second.
struct Scene {
    let core: DecisionCore
    let transport: ScriptedTransport
    let clock: ManualClock

    init(
        _ configuration: GatewayConfiguration, revocations: Revocations = Revocations(), cache: VerifiedTokenCache? = nil,
        replays: (any ReplayMemory)? = nil, keys: String? = nil
    ) async throws {
        self = try Scene(cold: configuration, revocations: revocations, cache: cache, replays: replays, keys: keys)
        let issuers = core.issuers
        _ = await settles { issuers.isReady }
    }

    /// Nothing has been fetched yet.
    ///
    /// - Parameters:
    ///   - isPublished: whether the issuers answer.
    ///   - keys: the JWK Set of issuer `a`; nil for its usual one.
    ///   - answers: a document for each further URL. They are set before the core starts, whose first fetch waits for no test.
    init(
        cold configuration: GatewayConfiguration, revocations: Revocations = Revocations(), cache: VerifiedTokenCache? = nil,
        replays: (any ReplayMemory)? = nil, isPublished: Bool = true, keys: String? = nil, answers: [String: String] = [:]
    ) throws {
        let transport = ScriptedTransport(), clock = ManualClock()
        if isPublished {
            transport.answer("https://a.example/jwks", keys ?? KeyPool.set(0))
            transport.answer("https://b.example/jwks", KeyPool.set(1))
        }
        for (url, document) in answers { transport.answer(url, document) }
        self.transport = transport
        self.clock = clock
        core = try DecisionCore(
            configuration, transport: transport, revocations: revocations, cache: cache, replays: replays, clock: clock, date: clock)
    }

    /// A configuration with one policy, `main`, for every request, and open route to nothing else.
    static func configuration(_ requirement: Requirement? = .provider("a"), _ change: (inout GatewayConfiguration) -> Void = { _ in })
        -> GatewayConfiguration
    {
        var configuration = GatewayConfiguration(
            providers: [provider("a"), provider("b")], policies: [GatewayPolicy("main", requirement: requirement)],
            routes: [Route(policy: "main")])
        change(&configuration)
        return configuration
    }

    static func provider(_ name: String) -> Provider {
        let issuer = "https://\(name).example"
        var configuration = IssuerConfiguration(
            issuer, source: .jwks(url: "\(issuer)/jwks"), policy: ClaimsPolicy(issuer: issuer, audience: "api"))
        configuration.isRequired = true
        return Provider(name, issuer: configuration)
    }

    /// A token of issuer `a` or `b`, valid for the audience `api` unless `claims` say something else.
    static func token(_ issuer: String = "a", _ claims: String = "") -> String {
        KeyPool.forges[issuer == "a" ? 0 : 1].token(payload(issuer, claims))
    }

    static func payload(_ issuer: String, _ claims: String = "") -> String {
        let more = claims.isEmpty ? "" : ",\(claims)"
        return "{\"iss\":\"https://\(issuer).example\",\"aud\":\"api\",\"exp\":1700003600,\"iat\":1700000000\(more)}"
    }

    /// A GET of `target` with these fields.
    static func request(_ fields: [(String, String)] = [], _ target: String = "/x", method: String = "GET", host: String = "api.example")
        -> RequestFacts
    {
        RequestFacts(method: method, host: host, target: target, fields: fields.map { Field($0.0, $0.1) })
    }

    static func bearer(_ token: String, _ target: String = "/x", method: String = "GET") -> RequestFacts {
        request([("Authorization", "Bearer \(token)")], target, method: method)
    }

    func verdict(_ facts: RequestFacts) -> String { core.decideNow(facts, now: Self.now).word }

    static let now: NumericDate = 1_700_000_100
}

extension Decision {
    /// `allowed`, `anonymous`, `waived CODE` or `STATUS CODE`, for tables of cases.
    var word: String {
        switch self {
        case .allowed(let admission):
            admission.waived.map { "waived \($0.reason.code)" } ?? (admission.provider == nil ? "anonymous" : "allowed")
        case .denied(let denial): "\(denial.status) \(denial.reason.code)"
        }
    }

    var admission: Admission? { if case .allowed(let admission) = self { admission } else { nil } }
    var denial: Denial? { if case .denied(let denial) = self { denial } else { nil } }

    /// The value of a field for the upstream.
    func field(_ name: String) -> String? { admission?.fields.first { $0.name == name }?.value }
}
