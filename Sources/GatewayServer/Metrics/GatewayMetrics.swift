#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Logging
internal import Metrics
internal import HTTPEdge

/// What the service counts, and its text for Prometheus.
///
/// Labels are names of the configuration, codes and statuses; never text of a request.
final class GatewayMetrics: Sendable {
    /// In the order of the configuration.
    let listeners: [ListenerCounts]
    /// Of the same listeners.
    let files: [GatewayFileVersions]
    private let factory = TextMetrics()
    private let refreshes: RefreshMetrics

    enum ReloadedFile: String, CaseIterable {
        case configuration
        case revocations
    }

    init(listeners names: [String], at start: NumericDate, logger: Logger) {
        refreshes = RefreshMetrics(factory: factory)
        listeners = names.map(ListenerCounts.init)
        files = names.map { GatewayFileVersions(listener: $0, logger: logger) }
        for file in ReloadedFile.allCases {
            for result in ["succeeded", "failed"] { reloads(file, result).increment(by: 0) }
            gauge("assay_gateway_reload_timestamp_seconds", [("file", file.rawValue)]).record(Double(start.seconds))
        }
        gauge("assay_gateway_configuration_current", []).record(1)
        gauge("assay_gateway_revocations_current", []).record(1)
    }

    /// Counts an event of a key set.
    func observe(_ event: RefreshEvent) { refreshes.observe(event) }

    func reloaded(_ file: ReloadedFile, succeeded: Bool, at date: NumericDate) {
        reloads(file, succeeded ? "succeeded" : "failed").increment()
        gauge("assay_gateway_\(file.rawValue)_current", []).record(succeeded ? 1 : 0)
        // A configuration is in force with its revocations only.
        if file == .configuration, succeeded { gauge("assay_gateway_revocations_current", []).record(1) }
        if succeeded {
            gauge("assay_gateway_reload_timestamp_seconds", [("file", file.rawValue)]).record(Double(date.seconds))
        }
    }

    /// Prometheus text format 0.0.4.
    func text(_ inForce: ActiveConfiguration, isReady: Bool, cache: VerifiedTokenCache?) -> String {
        record(inForce, isReady: isReady)
        var samples = SampleText()
        samples.append(inForce.core.counters.counts)
        samples.append(listeners)
        samples.append(files)
        if let cache { samples.append(cache.statistics) }
        return factory.text + samples.text
    }

    private func record(_ inForce: ActiveConfiguration, isReady: Bool) {
        gauge("assay_gateway_ready", []).record(isReady ? 1 : 0)
        gauge("assay_gateway_configuration_generation", []).record(Double(inForce.generation))
        gauge("assay_gateway_revocations", []).record(Double(inForce.core.revocations.list.entries.count))
        let statuses = inForce.core.issuers.keySets.map(\.status)
        for status in statuses {
            refreshes.record(status)
            gauge("assay_jwks_next_fetch_seconds", [("source", status.source)]).record(Double(status.nextFetchIn.nanoseconds) / 1e9)
        }
        factory.keep(label: "source", values: statuses.map(\.source))
    }

    private func reloads(_ file: ReloadedFile, _ result: String) -> Counter {
        Counter(label: "assay_gateway_reloads_total", dimensions: [("file", file.rawValue), ("result", result)], factory: factory)
    }

    private func gauge(_ name: String, _ labels: [(String, String)]) -> Gauge {
        Gauge(label: name, dimensions: labels, factory: factory)
    }
}

extension SampleText {
    /// The core counts by itself, without a lock.
    fileprivate mutating func append(_ counts: [DecisionCounters.Count]) {
        let name = "assay_gateway_decisions_total"
        type(name, "counter")
        for count in counts {
            sample(name, count.count, ["code": count.code ?? "", "outcome": count.outcome.rawValue, "policy": count.policy ?? ""])
        }
    }

    fileprivate mutating func append(_ listeners: [ListenerCounts]) {
        let all = listeners.map { (name: $0.listener, values: $0.latest) }
        type("assay_gateway_connections", "gauge")
        for (name, values) in all { sample("assay_gateway_connections", values.connections, ["listener": name]) }
        type("assay_gateway_answers_total", "counter")
        for (name, values) in all {
            for (status, count) in values.answers.sorted(by: { $0.key < $1.key }) {
                sample("assay_gateway_answers_total", count, ["listener": name, "status": "\(status)"])
            }
        }
        type("assay_gateway_refused_messages_total", "counter")
        for (name, values) in all {
            for (code, count) in values.refusedMessages.sorted(by: { $0.key < $1.key }) {
                sample("assay_gateway_refused_messages_total", count, ["code": code, "listener": name])
            }
        }
        type("assay_gateway_decision_duration_seconds", "histogram")
        for (name, values) in all { histogram("assay_gateway_decision_duration_seconds", "listener", name, values.latencies) }
    }

    fileprivate mutating func append(_ files: [GatewayFileVersions]) {
        type("assay_gateway_file_behind", "gauge")
        for file in files { sample("assay_gateway_file_behind", file.isBehind ? 1 : 0, ["listener": file.listener]) }
    }

    fileprivate mutating func append(_ statistics: VerifiedTokenCache.Statistics) {
        for (name, kind, value) in [
            ("hits_total", "counter", Int(clamping: statistics.hits)), ("misses_total", "counter", Int(clamping: statistics.misses)),
            ("entries", "gauge", statistics.entries), ("bytes", "gauge", statistics.bytes),
        ] {
            type("assay_gateway_token_cache_\(name)", kind)
            sample("assay_gateway_token_cache_\(name)", value)
        }
    }
}
#endif
