internal import JWKSCache
package import JWTCore

/// Decides about requests in the host's memory: with any keys, without waiting and without I/O. On the way to an admission no lock is taken.
///
/// A decider is immutable except for its counters and ``revocations``. A decision that has begun ends under the decider that began it.
package final class Decider: Sendable {
    package let configuration: GatewayConfiguration
    /// The keys of each of the configuration's issuers.
    package let keys: [ProviderKeys]
    package let revocations: Revocations
    package let counters: DecisionCounters
    /// Those of the providers that have some.
    package let statuses: [TokenStatuses]
    /// Those of the providers that have some.
    package let introspections: [TokenIntrospection]
    /// Is asked about uses.
    package let replays: DecisionReplays
    /// What is served of the configuration's protected resources.
    package let resources: ResourceDocuments
    let rules: DecisionRules
    let date: any UnixClock
    private let cache: VerifiedTokenCache?

    /// - Parameters:
    ///   - configuration: has been checked.
    ///   - keys: those of each of its issuers (``GatewayConfiguration/issuers``).
    ///   - statuses: the status lists of the providers that have some.
    ///   - introspections: those of the providers that have some.
    ///   - revocations: may be replaced at any time.
    ///   - cache: remembers verified tokens; nil verifies each signature again.
    ///   - date: gives the time that tokens are judged for.
    ///   - counters: of a decider that this one replaces; policies with the same names continue to count.
    ///   - replays: is asked about uses. Without a memory a token that passes once is refused.
    package init(
        _ configuration: GatewayConfiguration, keys: [ProviderKeys], statuses: [TokenStatuses] = [],
        introspections: [TokenIntrospection] = [], revocations: Revocations, cache: VerifiedTokenCache?,
        date: any UnixClock = SystemClock(), keeping counters: DecisionCounters? = nil, replays: DecisionReplays = DecisionReplays(nil)
    ) {
        self.configuration = configuration
        self.keys = keys
        self.statuses = statuses
        self.introspections = introspections
        self.revocations = revocations
        self.counters = DecisionCounters(policies: configuration.policies.map(\.name), keeping: counters)
        self.cache = cache
        self.date = date
        self.replays = replays
        resources = ResourceDocuments(configuration, at: date.now)
        let known = Dictionary(uniqueKeysWithValues: zip(configuration.issuers.map { Array($0.issuer.utf8) }, keys))
        let keysOfProviders = configuration.providers.map { $0.issuers.compactMap { known[Array($0.issuer.utf8)] } }
        rules = DecisionRules(
            configuration, keys: keysOfProviders, statuses: statuses, introspections: introspections, horizon: replays.horizon, cache: cache
        )
    }

    /// A decider with another configuration, whose revocations and counters continue.
    ///
    /// - Parameters:
    ///   - configuration: has been checked.
    ///   - keys: those of each of its issuers.
    ///   - statuses: the status lists of the providers that have some.
    ///   - introspections: those of the providers that have some.
    ///   - replays: is asked about uses.
    package func replacing(
        _ configuration: GatewayConfiguration, keys: [ProviderKeys], statuses: [TokenStatuses] = [],
        introspections: [TokenIntrospection] = [], replays: DecisionReplays = DecisionReplays(nil)
    ) -> Decider {
        Decider(
            configuration, keys: keys, statuses: statuses, introspections: introspections, revocations: revocations, cache: cache,
            date: date, keeping: counters, replays: replays)
    }

    /// Decides about a request, and asks the memory of uses if that answers at once. Allocates nothing once `memory` has grown to what its
    /// requests need.
    ///
    /// - Parameters:
    ///   - request: the request, as the gateway describes it.
    ///   - now: the time to judge for; nil reads the clock.
    ///   - waits: whether the caller decides again when a fetch has ended. Then a decision that lacks keys or a status list is none, and is
    ///     not counted.
    ///   - isKnown: whether `memory` has what earlier decisions about the same request have used (``DecisionMemory/admit(_:)``).
    ///   - memory: receives the texts of the decision.
    package func decide(
        _ request: RequestView, now: NumericDate? = nil, waits: Bool = false, isKnown: Bool = false, _ memory: inout DecisionMemory
    ) -> Verdict? {
        let now = now ?? date.now
        var progress = begin(request, now: now, waits: waits, isKnown: isKnown, &memory)
        while case .using(let judgement, let uses) = progress {
            replays.settleNow(uses, &memory.uses, now: now)
            progress = finish(judgement, uses, request, now: now, &memory)
        }
        if case .decided(let verdict) = progress { return verdict }
        return nil
    }

    /// Judges a request.
    ///
    /// - Parameters:
    ///   - waits: whether a decision that lacks keys or a status list is to be `lacking`.
    ///   - isKnown: whether `memory` has what earlier decisions about the same request have used.
    func begin(
        _ request: RequestView, now: NumericDate, waits: Bool, isKnown: Bool = false, _ memory: inout DecisionMemory
    ) -> DecisionProgress {
        memory.clear(keepingUses: isKnown)
        return routed(request) { judge($0, $1, $2, now, waits: waits, &memory) }
    }

    /// Goes on with a judgement whose uses have been answered in `memory`. Where a use is refused, it judges again: an alternative of the
    /// requirement may hold, or an allowance.
    func finish(
        _ judgement: Judgement, _ uses: [TokenUse], _ request: RequestView, now: NumericDate, _ memory: inout DecisionMemory
    ) -> DecisionProgress {
        let areFirst = memory.uses.areFirst(uses)
        if !areFirst { memory.clear(keepingUses: true) }
        return routed(request) { request, policy, rules in
            areFirst
                ? .decided(verdict(judgement, request, policy, rules, now, &memory))
                : judge(request, policy, rules, now, waits: false, &memory)
        }
    }

    /// Finds the request's policy, and counts what is decided.
    @inline(__always)
    private func routed(
        _ request: RequestView, _ body: (RoutedRequest, PolicyRules, DecisionRules) -> DecisionProgress
    ) -> DecisionProgress {
        let progress = lending { rules in
            do throws(Denial) {
                let request = try RoutedRequest(request, rules)
                return rules.policies.lend(request.policy) { body(request, $0, rules) }
            } catch {
                return .decided(Verdict(error.reason))
            }
        }
        if case .decided(let verdict) = progress { count(verdict) }
        return progress
    }

    private func judge(
        _ request: RoutedRequest, _ policy: PolicyRules, _ rules: DecisionRules, _ now: NumericDate, waits: Bool,
        _ memory: inout DecisionMemory
    ) -> DecisionProgress {
        let judgement = Judgement(request, policy, revocations, now: now, &memory)
        guard !waits || !judgement.mayChange(memory) else { return .lacking }
        if policy.countsUses {
            let uses = judgement.openUses(memory)
            guard uses.isEmpty else { return .using(judgement, uses) }
        }
        return .decided(verdict(judgement, request, policy, rules, now, &memory))
    }

    private func verdict(
        _ judgement: Judgement, _ request: RoutedRequest, _ policy: PolicyRules, _ rules: DecisionRules, _ now: NumericDate,
        _ memory: inout DecisionMemory
    ) -> Verdict {
        policy.countStatuses(memory)
        let verdict = Verdict(judgement, request, policy, rules, &memory)
        if policy.asksProofs { memory.addProofNonce(policy, verdict, now: now) }
        if let shadow = policy.shadow { countShadows(shadow, request, rules, now, &memory) }
        return verdict
    }

    /// Lends the rules without counting a reference.
    @inline(__always)
    func lending<Result>(_ body: (DecisionRules) -> Result) -> Result {
        // SAFETY: this object keeps the rules.
        unsafe Unmanaged.passUnretained(rules).lend(body)
    }

    /// Whether a field of this name can bring an identity or a token to the upstream.
    package func protects(_ name: Span<UInt8>) -> Bool { rules.protects(name) }

    func judge(_ request: RoutedRequest, _ now: NumericDate, _ memory: inout DecisionMemory) -> Judgement {
        Judgement(request, rules.policies[request.policy], revocations, now: now, &memory)
    }

    private func count(_ verdict: Verdict) {
        let outcome: DecisionCounters.Outcome = verdict.isAllowed ? verdict.reason == nil ? .allowed : .waived : .denied
        counters.count(verdict.policy, outcome, verdict.reason)
    }

    /// A shadow may have a shadow.
    private func countShadows(
        _ first: Int, _ request: RoutedRequest, _ rules: DecisionRules, _ now: NumericDate, _ memory: inout DecisionMemory
    ) {
        var next: Int? = first
        while let shadow = next {
            next = rules.policies.lend(shadow) { policy in
                switch Judgement(request, policy, revocations, now: now, &memory).outcome {
                case .success: counters.count(shadow, .shadowAllowed, nil)
                case .failure(let refusal): counters.count(shadow, .shadowDenied, refusal.reason)
                }
                return policy.shadow
            }
        }
    }
}
