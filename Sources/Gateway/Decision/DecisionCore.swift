public import JWKSCache
public import JWTCore
public import ReplayMemory

/// Decides about requests: facts in, decision out. It does no I/O of its own; key sets fetch through the transport.
///
/// A core is immutable except for its counters and ``revocations``. A new configuration is a new core (``replacing(_:replays:)``), which keeps key
/// sets, revocations and counters; a decision that has begun ends under the core that began it. On the way to an admission no lock is
/// taken.
///
/// ```swift
/// let core = try DecisionCore(configuration, transport: transport)
/// let decision = await core.decide(RequestFacts(method: "GET", host: "api.example", target: "/orders", fields: fields))
/// ```
public final class DecisionCore: Sendable {
    /// The key sets of the providers' issuers, for readiness and status.
    public let issuers: TrustedIssuers
    package let decider: Decider
    /// Fetches the status lists of providers without a transport of their own and introspects their tokens; the clock measures the age of
    /// both.
    private let transport: any DocumentTransport
    private let clock: any ElapsedClock
    package var replays: DecisionReplays { decider.replays }

    /// - Parameters:
    ///   - configuration: is checked here.
    ///   - transport: fetches keys of issuers without a transport of their own.
    ///   - revocations: may be replaced at any time.
    ///   - cache: remembers verified tokens; nil verifies each signature again. Revocations, uses and policies are judged at every request.
    ///   - replays: remembers the uses of tokens that pass once (``Provider/passesOnce``); nil: a configuration with such a provider is
    ///     refused.
    ///   - clock: measures the age of keys.
    ///   - date: gives the time that tokens are judged for.
    ///   - observer: receives every event of every key set.
    /// - Throws: the first fault of `configuration`.
    public convenience init(
        _ configuration: GatewayConfiguration, transport: any DocumentTransport, revocations: Revocations = Revocations(),
        cache: VerifiedTokenCache? = nil, replays: (any ReplayMemory)? = nil, clock: any ElapsedClock = SystemElapsedClock(),
        date: any UnixClock = SystemClock(),
        observer: (@Sendable (RefreshEvent) -> Void)? = nil
    ) throws(ConfigurationFault) {
        try configuration.check(replays)
        let issuers = TrustedIssuers(configuration.issuers, transport: transport, clock: clock, date: date, observer: observer)
        let keys = issuers.keySets.map { ProviderKeys.remote($0) }
        let statuses = configuration.statuses(keys, .tasks(transport, clock), continuing: [])
        let introspections = configuration.introspections(keys, transport, clock, continuing: [])
        self.init(
            issuers,
            Decider(
                configuration, keys: keys, statuses: statuses, introspections: introspections, revocations: revocations, cache: cache,
                date: date, replays: DecisionReplays(replays)), transport, clock)
    }

    private init(
        _ issuers: TrustedIssuers, _ decider: Decider, _ transport: any DocumentTransport, _ clock: any ElapsedClock
    ) {
        self.issuers = issuers
        self.decider = decider
        self.transport = transport
        self.clock = clock
    }

    /// A core with another configuration. Issuers with the same sources, transport and refresh policy keep their keys, and providers whose
    /// terms have not changed either their status lists and their answers about tokens; revocations and the counters of policies with the
    /// same names continue. Replace the old core by the new one everywhere.
    ///
    /// - Parameters:
    ///   - configuration: is checked here.
    ///   - replays: the memory of uses for a core that had none; a memory continues.
    /// - Throws: the first fault of `configuration`; then the old core continues.
    public func replacing(
        _ configuration: GatewayConfiguration, replays: (any ReplayMemory)? = nil
    ) throws(ConfigurationFault) -> DecisionCore {
        let replays = self.replays.memory ?? replays
        try configuration.check(replays)
        let issuers = issuers.replacing(configuration.issuers), keys = issuers.keySets.map { ProviderKeys.remote($0) }
        let statuses = configuration.statuses(keys, .tasks(transport, clock), continuing: decider.statuses)
        let introspections = configuration.introspections(keys, transport, clock, continuing: decider.introspections)
        let next = decider.replacing(
            configuration, keys: keys, statuses: statuses, introspections: introspections, replays: DecisionReplays(replays))
        return DecisionCore(issuers, next, transport, clock)
    }

    public var configuration: GatewayConfiguration { decider.configuration }
    public var revocations: Revocations { decider.revocations }

    /// The metadata of the protected resource that a request asks for (RFC 9728 section 3.1): JSON. Nil: none of the configuration's resources
    /// has it at this host and path.
    ///
    /// - Parameters:
    ///   - authority: that the client asked for, with its port if it named one.
    ///   - target: path and query as the client sent them. The path counts byte for byte, the query does not.
    public func resourceMetadata(authority: String, target: String) -> [UInt8]? {
        decider.resources.document(authority: authority, target: target)
    }

    public var counters: DecisionCounters { decider.counters }
    /// The status lists of the providers that have some.
    package var statuses: [TokenStatuses] { decider.statuses }
    /// The introspections of the providers that have some.
    package var introspections: [TokenIntrospection] { decider.introspections }

    // Deciding

    /// Decides about a request. While the keys of a token or its status list are being fetched it waits, at most for the wait budget of the
    /// issuer's refresh policy; while its authorization server is asked, at most for the time-out of that request. For a requirement with
    /// several such issuers it waits for each.
    ///
    /// - Parameters:
    ///   - facts: the request, as the gateway describes it.
    ///   - now: the time to judge for; nil reads the clock.
    public func decide(_ facts: RequestFacts, now: NumericDate? = nil) async -> Decision {
        switch begin(facts, now: now) {
        case .decided(let decision): decision
        case .waiting(let pending): await decide(pending)
        }
    }

    /// Decides about a request as far as that needs no waiting, which for most requests is to the end. For callers that answer on an event
    /// loop, and make a task only for the rest.
    ///
    /// - Parameter now: the time to judge for; nil reads the clock.
    package func begin(_ facts: RequestFacts, now: NumericDate? = nil) -> DecisionStep {
        let now = now ?? decider.date.now, copy = RequestMemory(facts)
        var memory = DecisionMemory()
        var progress = decider.begin(copy.view, now: now, waits: true, &memory)
        while case .using(let judgement, let uses) = progress {
            guard replays.answersAtOnce else {
                let using = PendingDecision.Using(judgement: judgement, uses: uses, memory: memory)
                return .waiting(PendingDecision(facts: facts, now: now, using: using))
            }
            replays.settleNow(uses, &memory.uses, now: now)
            progress = decider.finish(judgement, uses, copy.view, now: now, &memory)
        }
        guard case .decided(let verdict) = progress else { return .waiting(PendingDecision(facts: facts, now: now)) }
        return .decided(Decision(verdict, memory, decider.rules))
    }

    /// Decides about a request without waiting: a token whose keys or status list are being fetched is refused (`keys_unavailable` or
    /// `status_unavailable`, 503), one whose authorization server is being asked (`introspection_unavailable`, 503), and a token that passes
    /// once, unless its memory answers at once (`replay_memory_unavailable`, 503).
    ///
    /// - Parameters:
    ///   - facts: the request, as the gateway describes it.
    ///   - now: the time to judge for; nil reads the clock.
    public func decideNow(_ facts: RequestFacts, now: NumericDate? = nil) -> Decision {
        let copy = RequestMemory(facts)
        var memory = DecisionMemory()
        return Decision(decide(copy.view, now: now, &memory), memory, decider.rules)
    }

    /// The same for a request in the host's memory. Allocates nothing once `memory` has grown to what its requests need.
    ///
    /// - Parameters:
    ///   - request: the request, as the gateway describes it.
    ///   - now: the time to judge for; nil reads the clock.
    ///   - memory: receives the texts of the decision.
    public func decide(_ request: RequestView, now: NumericDate? = nil, _ memory: inout DecisionMemory) -> Verdict {
        // Only a caller that decides again gets none.
        decider.decide(request, now: now, &memory) ?? Verdict(.malformedRequest)
    }

    /// Decides about a request as ``decideNow(_:now:)`` does, counts nothing, and says why. A token that passes once is not used up, and
    /// judged as if it had not been used.
    public func explain(_ facts: RequestFacts, now: NumericDate? = nil) -> Explanation {
        let copy = RequestMemory(facts)
        return decider.explain(copy.view, now: now)
    }
}

extension GatewayConfiguration {
    /// - Parameter replays: the memory of uses, which providers whose tokens pass once need.
    fileprivate func check(_ replays: (any ReplayMemory)?) throws(ConfigurationFault) {
        try check()
        guard replays == nil, let place = providers.firstIndex(where: \.countsUses) else { return }
        let setting = providers[place].passesOnce ? "passesOnce" : "proofs"
        throw ConfigurationFault(.noReplayMemory, [.member("providers"), .position(place), .member(setting)])
    }

    /// Whether a provider's tokens, or their proofs, pass once.
    package var countsUses: Bool { providers.contains(where: \.countsUses) }

    /// The status lists of the providers that have terms for them.
    ///
    /// - Parameters:
    ///   - keys: those of each of ``issuers``.
    ///   - fetching: who fetches the lists.
    ///   - old: what may continue.
    package func statuses(_ keys: [ProviderKeys], _ fetching: ListFetching, continuing old: [TokenStatuses]) -> [TokenStatuses] {
        let known = Dictionary(uniqueKeysWithValues: zip(issuers.map { Array($0.issuer.utf8) }, keys))
        return providers.compactMap { provider in
            TokenStatuses.of(provider, keys: provider.issuers.compactMap { known[Array($0.issuer.utf8)] }, fetching, continuing: old)
        }
    }

    /// The introspections of the providers that have terms for them.
    ///
    /// - Parameters:
    ///   - keys: those of each of ``issuers``.
    ///   - old: what may continue.
    func introspections(
        _ keys: [ProviderKeys], _ transport: any DocumentTransport, _ clock: any ElapsedClock, continuing old: [TokenIntrospection]
    ) -> [TokenIntrospection] {
        let known = Dictionary(uniqueKeysWithValues: zip(issuers.map { Array($0.issuer.utf8) }, keys))
        return providers.compactMap { provider in
            guard let keys = known[Array(provider.issuer.issuer.utf8)] else { return nil }
            return TokenIntrospection.of(provider, keys: keys, transport: transport, clock: clock, continuing: old)
        }
    }

    /// The issuers of the providers, each once. One is required if a provider requires it.
    package var issuers: [IssuerConfiguration] {
        var issuers: [IssuerConfiguration] = [], places: [[UInt8]: Int] = [:]
        for issuer in providers.flatMap(\.issuers) {
            let name = Array(issuer.issuer.utf8)
            guard let place = places[name] else {
                places[name] = issuers.count
                issuers.append(issuer)
                continue
            }
            issuers[place].isRequired = issuers[place].isRequired || issuer.isRequired
        }
        return issuers
    }
}
