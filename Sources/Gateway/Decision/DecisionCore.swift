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
        let now = now ?? date.now, copy = RequestMemory(facts)
        var memory = DecisionMemory()
        guard let verdict = decide(copy.view, now, waits: true, &memory) else {
            return .waiting(PendingDecision(facts: facts, now: now))
        }
        return .decided(Decision(verdict, memory, rules))
    }

    /// Waits for the keys that a decision lacks, as ``decide(_:now:)`` does, and ends it.
    package func decide(_ pending: PendingDecision) async -> Decision {
        var awaited = Positions(), lacking = lacking(pending)
        while let (policy, provider) = lacking.first(without: awaited) {
            awaited.insert(provider)
            lacking = await wait(for: provider, of: policy, pending)
        }
        return decideNow(pending.facts, now: pending.now)
    }

    /// Decides about a request without waiting: a token whose keys are being fetched is refused (`keys_unavailable`, 503).
    ///
    /// - Parameters:
    ///   - facts: the request, as the gateway describes it.
    ///   - now: the time to judge for; nil reads the clock.
    public func decideNow(_ facts: RequestFacts, now: NumericDate? = nil) -> Decision {
        let copy = RequestMemory(facts)
        var memory = DecisionMemory()
        let verdict = decide(copy.view, now: now, &memory)
        return Decision(verdict, memory, rules)
    }

    /// The same for a request in the host's memory. Allocates nothing once `memory` has grown to what its requests need.
    ///
    /// - Parameters:
    ///   - request: the request, as the gateway describes it.
    ///   - now: the time to judge for; nil reads the clock.
    ///   - memory: receives the texts of the decision.
    public func decide(_ request: RequestView, now: NumericDate? = nil, _ memory: inout DecisionMemory) -> Verdict {
        decide(request, now ?? date.now, waits: false, &memory) ?? Verdict(.malformedRequest)
    }

    /// - Parameter waits: whether a decision that lacks keys is none.
    private func decide(_ request: RequestView, _ now: NumericDate, waits: Bool, _ memory: inout DecisionMemory) -> Verdict? {
        memory.clear()
        do throws(Denial) {
            let request = try RoutedRequest(request, rules)
            let judgement = judge(request, now, &memory)
            guard !waits || judgement.providersWithoutKeys(memory).isEmpty else { return nil }
            let verdict = Verdict(judgement, request, rules, &memory)
            count(verdict)
            countShadows(request, now, &memory)
            return verdict
        } catch {
            let verdict = Verdict(error.reason)
            count(verdict)
            return verdict
        }
    }

    func judge(_ request: RoutedRequest, _ now: NumericDate, _ memory: inout DecisionMemory) -> Judgement {
        Judgement(request, rules.policies[request.policy], revocations, now: now, &memory)
    }

    // Waiting

    /// The providers without keys, and their policy.
    private struct Lacking {
        var policy = 0
        var providers = Positions()

        func first(without awaited: Positions) -> (policy: Int, provider: Int)? {
            for provider in providers where Positions(provider).intersection(awaited).isEmpty { return (policy, provider) }
            return nil
        }
    }

    private func lacking(_ pending: PendingDecision) -> Lacking {
        let copy = RequestMemory(pending.facts)
        var memory = DecisionMemory()
        do throws(Denial) {
            let request = try RoutedRequest(copy.view, rules)
            return Lacking(policy: request.policy, providers: judge(request, pending.now, &memory).providersWithoutKeys(memory))
        } catch {
            return Lacking()
        }
    }

    /// Judges again each time that a fetch of the provider's keys ends, while they are missing.
    private func wait(for provider: Int, of policy: Int, _ pending: PendingDecision) async -> Lacking {
        var latest = Lacking()
        do throws(VerificationError) {
            try await rules.policies[policy].providers[provider].keys.retrying { () throws(VerificationError) in
                latest = lacking(pending)
                guard latest.providers.intersection(Positions(provider)).isEmpty else { throw .keysUnavailable }
            }
        } catch {
            return latest
        }
        return latest
    }

    // Counting

    private func count(_ verdict: Verdict) {
        let outcome: DecisionCounters.Outcome = verdict.isAllowed ? verdict.reason == nil ? .allowed : .waived : .denied
        counters.count(verdict.policy, outcome, verdict.reason)
    }

    /// A shadow may have a shadow.
    private func countShadows(_ request: RoutedRequest, _ now: NumericDate, _ memory: inout DecisionMemory) {
        var next = rules.policies[request.policy].shadow
        while let shadow = next {
            switch Judgement(request, rules.policies[shadow], revocations, now: now, &memory).outcome {
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
