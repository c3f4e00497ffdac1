#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore

/// `/status.json`: what the status page shows. Dates are in seconds since 1970, durations in seconds, latencies in microseconds.
struct StatusDocument: Encodable {
    let date: Int64
    let started: Int64
    let isReady: Bool
    let isDraining: Bool
    let issuers: [KeysDocument.Issuer]
    let listeners: [Listener]
    let decisions: [Decided]
    let history: [Step]
    let latency: Latency
    let cache: Cache?
    let revocations: Revoked
    /// Of the providers that have terms for them.
    let statusLists: [StatusListsDocument]
    /// Of the providers that have terms for them.
    let introspections: [IntrospectionStatus]
    /// Nil if no events arrive.
    let signals: SignalsDocument?
    let engine = EngineDocument()
    let configuration: ConfigurationDocument
    let reloads: Reloads

    /// Since the start. Its place is in the configuration.
    struct Listener: Encodable {
        let name: String
        let connections: Int
        /// By status.
        let answers: [String: UInt64]
        /// By code.
        let refusedMessages: [String: UInt64]
        let latency: Latency
    }

    struct Decided: Encodable {
        let policy: String?
        let outcome: String
        let code: String?
        let count: UInt64
    }

    struct Step: Encodable {
        let date: Int64
        let counts: [String: UInt64]
        let p50: Double?
        let p99: Double?
    }

    /// Since the start.
    struct Latency: Encodable {
        let p50: Double?
        let p90: Double?
        let p99: Double?
    }

    struct Cache: Encodable {
        let hits: UInt64
        let misses: UInt64
        let entries: Int
        let bytes: Int
        let budget: Int
    }

    struct Revoked: Encodable {
        let total: Int
        /// By `kid`, `sub`, `jti`, `sid` and `issuedBefore`; never the values.
        let kinds: [String: Int]
    }

    struct Reloads: Encodable {
        let configuration: Outcome?
        let revocations: Outcome?
        let restartNeeded: [String]
    }

    struct Outcome: Encodable {
        let date: Int64
        let faults: [String]
    }

    init(_ observations: Observations, at now: NumericDate) {
        let inForce = observations.gateway.inForce
        date = now.seconds
        started = observations.started.seconds
        isReady = observations.gateway.isReady
        isDraining = observations.gateway.isDraining
        issuers = KeysDocument(observations.gateway.inForce.core.decider).issuers
        decisions = inForce.core.counters.counts.map {
            Decided(policy: $0.policy, outcome: $0.outcome.rawValue, code: $0.code, count: $0.count)
        }
        history = observations.history.steps.map { Step(date: $0.date.seconds, counts: $0.counts, p50: $0.p50, p99: $0.p99) }
        latency = Latency(observations.latencies)
        cache = observations.cache.map { Cache($0) }
        signals = observations.signals.map(SignalsDocument.init)
        revocations = Revoked(inForce.core.revocations.list)
        statusLists = inForce.core.statuses.map(StatusListsDocument.init)
        introspections = inForce.core.introspections.map(\.status)
        configuration = ConfigurationDocument(inForce, started: observations.reloading.started)
        listeners = observations.metrics.listeners.map(Listener.init)
        reloads = Reloads(observations.reloading.latest)
    }
}

extension StatusDocument.Latency {
    fileprivate init(_ latencies: LatencyCounts) {
        self.init(p50: latencies.quantile(0.5), p90: latencies.quantile(0.9), p99: latencies.quantile(0.99))
    }
}

extension StatusDocument.Listener {
    fileprivate init(_ counts: ListenerCounts) {
        let values = counts.latest
        self.init(
            name: counts.listener, connections: values.connections,
            answers: Dictionary(uniqueKeysWithValues: values.answers.map { ("\($0)", $1) }), refusedMessages: values.refusedMessages,
            latency: StatusDocument.Latency(values.latencies))
    }
}

extension StatusDocument.Cache {
    fileprivate init(_ cache: VerifiedTokenCache) {
        let statistics = cache.statistics
        self.init(
            hits: statistics.hits, misses: statistics.misses, entries: statistics.entries, bytes: statistics.bytes, budget: cache.budget)
    }
}

extension StatusDocument.Revoked {
    fileprivate init(_ list: RevocationList) {
        let kinds = list.entries.reduce(into: [String: Int]()) { counts, entry in counts[entry.subject.kind, default: 0] += 1 }
        self.init(total: list.entries.count, kinds: kinds)
    }
}

extension RevocationList.Subject {
    fileprivate var kind: String {
        switch self {
        case .keyID: "kid"
        case .subject, .subjectBefore: "sub"
        case .tokenID: "jti"
        case .sessionID: "sid"
        case .issuedBefore: "issuedBefore"
        }
    }
}

extension StatusDocument.Reloads {
    fileprivate init(_ state: Reloading.State) {
        self.init(
            configuration: state.configuration.map { StatusDocument.Outcome(date: $0.date.seconds, faults: $0.faults) },
            revocations: state.revocations.map { StatusDocument.Outcome(date: $0.date.seconds, faults: $0.faults) },
            restartNeeded: state.restartNeeded)
    }
}
#endif
