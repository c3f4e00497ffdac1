import Dispatch
import Gateway
import JWKSCache
import JWTCore

/// Requests with tokens, and the core that decides about them inside a gateway: seven fields of the client, two claims in fields for the
/// upstream, and a route by path.
@safe
final class DecidedRequests {
    private let core: DecisionCore
    private let cache: VerifiedTokenCache?
    // SAFETY: initialised in init and freed in deinit, with a request for each token.
    private let requests: UnsafeMutableBufferPointer<RequestMemory>
    private let count: Int
    private var memory = DecisionMemory()

    private static let cacheBudget = 64 << 20

    /// Nil if the keys cannot be read.
    ///
    /// - Parameters:
    ///   - texts: the tokens of the requests, which need not be those of `tokens`.
    ///   - remembers: whether the core has a cache.
    init?(_ tokens: BenchTokens, _ texts: [[UInt8]], remembers: Bool = false) {
        cache = remembers ? VerifiedTokenCache(budget: Self.cacheBudget) : nil
        guard let core = try? DecisionCore(Self.configuration(tokens), transport: NoTransport(), cache: cache) else { return nil }
        self.core = core
        count = texts.count
        unsafe requests = .allocate(capacity: texts.count)
        for (place, text) in texts.enumerated() {
            unsafe requests.initializeElement(at: place, to: RequestMemory(Self.facts(String(decoding: text, as: UTF8.self))))
        }
        awaitKeys()
    }

    /// The keys are in the configuration, and are read beside this thread.
    private func awaitKeys() {
        let done = DispatchSemaphore(value: 0), issuers = core.issuers
        Task {
            for keys in issuers.keySets { await keys.firstAttempt() }
            done.signal()
        }
        done.wait()
    }

    deinit {
        unsafe requests.deinitialize()
        unsafe requests.deallocate()
    }

    /// Puts every token into the cache. False if one is missing.
    func remember() -> Bool {
        // The cache keeps a token at its second verification, unless other tokens overwrote the note of the first.
        for ordinal in 0..<(10 * count) where !admits(ordinal) { return false }
        return cache?.statistics.entries == count
    }

    func admits(_ ordinal: Int) -> Bool { decide(ordinal).isAllowed }

    func refusesTheSignature(_ ordinal: Int) -> Bool {
        guard case .token(let error)? = decide(ordinal).reason else { return false }
        return error.code == .signatureInvalid
    }

    private func decide(_ ordinal: Int) -> Verdict { unsafe core.decide(requests[ordinal % count].view, &memory) }

    private static func configuration(_ tokens: BenchTokens) -> GatewayConfiguration {
        let issuer = "https://idp.example"
        var provider = Provider(
            "idp", issuer: IssuerConfiguration(issuer, source: .inline(tokens.document), policy: tokens.policy))
        provider.claimHeaders = [
            ClaimHeader("x-auth-subject", path: [.member("sub")]), ClaimHeader("x-auth-name", path: [.member("name")]),
        ]
        return GatewayConfiguration(
            providers: [provider], policies: [GatewayPolicy("api", requirement: .provider("idp"))],
            routes: [Route(.prefix("/orders"), policy: "api")])
    }

    private static func facts(_ token: String) -> RequestFacts {
        let fields = [
            Field("accept", "application/json"), Field("accept-language", "de-CH,de;q=0.9,en;q=0.8"),
            Field("authorization", "Bearer \(token)"), Field("cookie", "theme=dark; consent=1"),
            Field("user-agent", "Mozilla/5.0 (X11; Linux x86_64)"), Field("x-request-id", "4ef1a3a0-5a1c-4bd3-a0a5-02ff2a6e0f4e"),
            Field("referer", "https://app.example/orders"),
        ]
        return RequestFacts(method: "GET", host: "api.example", target: "/orders/17?page=2", fields: fields)
    }
}

private struct NoTransport: DocumentTransport {
    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse { throw RequestFailure(.connection) }
}
