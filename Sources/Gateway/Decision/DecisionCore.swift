public import JWKSCache
public import JWTCore

/// Decides about requests: facts in, decision out. It does no I/O of its own; key sets fetch through the transport.
///
/// A core is immutable except for its counters and ``revocations``. A new configuration is a new core (``replacing(_:)``), which keeps key
/// sets, revocations and counters; a decision that has begun ends under the core that began it. On the way to an admission no lock is
/// taken.
///
/// ```swift
/// let core = try DecisionCore(configuration, transport: transport)
/// let decision = await core.decide(RequestFacts(method: "GET", host: "api.example", target: "/orders", fields: fields))
/// ```
public final class DecisionCore: Sendable {
    public let configuration: GatewayConfiguration
    /// The key sets of the providers' issuers, for readiness and status.
    public let issuers: TrustedIssuers
    public let revocations: Revocations
    public let counters: DecisionCounters
    let rules: DecisionRules
    let date: any UnixClock
    private let cache: VerifiedTokenCache?

    /// - Parameters:
    ///   - configuration: is checked here.
    ///   - transport: fetches keys.
    ///   - revocations: may be replaced at any time.
    ///   - cache: remembers verified tokens; nil verifies each signature again. Revocations and policies are judged at every request.
    ///   - clock: measures the age of keys.
    ///   - date: gives the time that tokens are judged for.
    ///   - observer: receives every event of every key set.
    /// - Throws: the first fault of `configuration`.
    public convenience init(
        _ configuration: GatewayConfiguration, transport: any DocumentTransport, revocations: Revocations = Revocations(),
        cache: VerifiedTokenCache? = nil, clock: any ElapsedClock = SystemElapsedClock(), date: any UnixClock = SystemClock(),
        observer: (@Sendable (RefreshEvent) -> Void)? = nil
    ) throws(ConfigurationFault) {
        try configuration.check()
        let issuers = TrustedIssuers(configuration.issuers, transport: transport, clock: clock, date: date, observer: observer)
        let counters = DecisionCounters(policies: configuration.policies.map(\.name), keeping: nil)
        self.init(configuration, issuers, revocations, counters, cache, date)
    }

    /// - Parameter configuration: has been checked.
    private init(
        _ configuration: GatewayConfiguration, _ issuers: TrustedIssuers, _ revocations: Revocations, _ counters: DecisionCounters,
        _ cache: VerifiedTokenCache?, _ date: any UnixClock
    ) {
        self.configuration = configuration
        self.issuers = issuers
        self.revocations = revocations
        self.counters = counters
        self.cache = cache
        self.date = date
        let keySets = issuers.keySets, names = configuration.issuers.map(\.issuer)
        let keys = configuration.providers.compactMap { provider in
            names.firstIndex { $0.hasSameBytes(provider.issuer.issuer) }.map { keySets[$0] }
        }
        rules = DecisionRules(configuration, keys: keys, cache: cache)
    }

    /// A core with another configuration. Issuers with the same sources and refresh policy keep their keys; revocations and the counters of
    /// policies with the same names continue. Replace the old core by the new one everywhere.
    ///
    /// - Throws: the first fault of `configuration`; then the old core continues.
    public func replacing(_ configuration: GatewayConfiguration) throws(ConfigurationFault) -> DecisionCore {
        try configuration.check()
        let counters = DecisionCounters(policies: configuration.policies.map(\.name), keeping: self.counters)
        return DecisionCore(configuration, issuers.replacing(configuration.issuers), revocations, counters, cache, date)
    }

    // Deciding

    /// Decides about a request. While the keys of a token are being fetched it waits, at most for the wait budget of the issuer's refresh
    /// policy; for a requirement with several such issuers, for each.
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
        let now = now ?? date.now, memory = FactsMemory(facts)
        do throws(Denial) {
            let request = try RoutedRequest(memory.view, rules)
            let judgement = judge(request, now)
            guard judgement.providersWithoutKeys.isEmpty else {
                return .waiting(PendingDecision(facts: facts, policy: request.policy, judgement: judgement, now: now))
            }
            return .decided(conclude(request, judgement, now))
        } catch {
            return .decided(conclude(error))
        }
    }

    /// Waits for the keys that a decision lacks, as ``decide(_:now:)`` does, and ends it.
    package func decide(_ pending: PendingDecision) async -> Decision {
        var judgement = pending.judgement
        var awaited: Set<Int> = []
        while let provider = judgement.providersWithoutKeys.first(where: { !awaited.contains($0) }) {
            awaited.insert(provider)
            judgement = await judge(again: pending, waitingFor: provider, judgement)
        }
        let memory = FactsMemory(pending.facts)
        do throws(Denial) {
            return conclude(try RoutedRequest(memory.view, rules), judgement, pending.now)
        } catch {
            return conclude(error)
        }
    }

    /// Decides about a request without waiting: a token whose keys are being fetched is refused (`keys_unavailable`, 503).
    ///
    /// - Parameters:
    ///   - facts: the request, as the gateway describes it.
    ///   - now: the time to judge for; nil reads the clock.
    public func decideNow(_ facts: RequestFacts, now: NumericDate? = nil) -> Decision {
        let now = now ?? date.now, memory = FactsMemory(facts)
        do throws(Denial) {
            let request = try RoutedRequest(memory.view, rules)
            return conclude(request, judge(request, now), now)
        } catch {
            return conclude(error)
        }
    }

    func judge(_ request: RoutedRequest, _ now: NumericDate) -> Judgement {
        Judgement(request, rules.policies[request.policy], revocations, now: now)
    }

    /// Judges again each time that a fetch of the provider's keys ends, while they are missing.
    private func judge(again pending: PendingDecision, waitingFor provider: Int, _ first: Judgement) async -> Judgement {
        var latest = first
        do throws(VerificationError) {
            try await rules.policies[pending.policy].providers[provider].keys.retrying { () throws(VerificationError) in
                latest = judge(again: pending) ?? latest
                guard !latest.providersWithoutKeys.contains(provider) else { throw .keysUnavailable }
            }
        } catch {
            return latest
        }
        return latest
    }

    private func judge(again pending: PendingDecision) -> Judgement? {
        let memory = FactsMemory(pending.facts)
        do throws(Denial) {
            return judge(try RoutedRequest(memory.view, rules), pending.now)
        } catch {
            return nil
        }
    }

    // Counting

    private func conclude(_ denial: Denial) -> Decision {
        counters.count(nil, .denied, denial.reason)
        return .denied(denial)
    }

    private func conclude(_ request: RoutedRequest, _ judgement: Judgement, _ now: NumericDate) -> Decision {
        let decision = Verdict(rules: rules, request: request, judgement: judgement).decision
        switch decision {
        case .allowed(let admission):
            counters.count(request.policy, admission.waived == nil ? .allowed : .waived, admission.waived?.reason)
        case .denied(let denial): counters.count(request.policy, .denied, denial.reason)
        }
        countShadows(request, now)
        return decision
    }

    /// A shadow may have a shadow.
    private func countShadows(_ request: RoutedRequest, _ now: NumericDate) {
        var next = rules.policies[request.policy].shadow
        while let shadow = next {
            switch Judgement(request, rules.policies[shadow], revocations, now: now).outcome {
            case .success: counters.count(shadow, .shadowAllowed, nil)
            case .failure(let refusal): counters.count(shadow, .shadowDenied, refusal.reason)
            }
            next = rules.policies[shadow].shadow
        }
    }
}

extension GatewayConfiguration {
    /// The issuers of the providers, each once. One is required if a provider requires it.
    package var issuers: [IssuerConfiguration] {
        var issuers: [IssuerConfiguration] = []
        for issuer in providers.map(\.issuer) {
            guard let place = issuers.firstIndex(where: { $0.issuer.hasSameBytes(issuer.issuer) }) else {
                issuers.append(issuer)
                continue
            }
            issuers[place].isRequired = issuers[place].isRequired || issuer.isRequired
        }
        return issuers
    }
}
