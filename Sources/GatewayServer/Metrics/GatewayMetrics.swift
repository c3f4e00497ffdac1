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
    /// Of the administrative listener, of which only refused messages are shown.
    let administration = ListenerCounts(listener: "administration")
    /// The connections of transmitters.
    let transmitters = ListenerCounts(listener: "signals")
    /// Of the decision listeners.
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
    func text(
        _ inForce: ActiveConfiguration, isReady: Bool, cache: VerifiedTokenCache?, replays: ServiceReplays, signals: SignalReceiver?,
        now: NumericDate
    ) -> String {
        record(inForce, isReady: isReady, signals: signals)
        var samples = SampleText()
        samples.append(inForce.core.counters.counts)
        samples.append(listeners)
        samples.append(refusedBy: listeners + [administration] + (signals == nil ? [] : [transmitters]))
        samples.append(files)
        if let cache { samples.append(cache.statistics) }
        samples.append(inForce.core.statuses)
        replays.append(to: &samples, now: now)
        samples.append(inForce.core.introspections.map(\.status))
        if let signals { samples.append(signals) }
        samples.append(EngineDocument())
        return factory.text + samples.text
    }

    private func record(_ inForce: ActiveConfiguration, isReady: Bool, signals: SignalReceiver?) {
        gauge("assay_gateway_ready", []).record(isReady ? 1 : 0)
        gauge("assay_gateway_configuration_generation", []).record(Double(inForce.generation))
        gauge("assay_gateway_revocations", []).record(Double(inForce.core.revocations.list.entries.count))
        // A stream may have the keys of a provider. Then those of the provider are shown.
        let statuses = (signals?.streams.map(\.keys.status) ?? []) + inForce.core.issuers.keySets.map(\.status)
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
        type("assay_gateway_decision_duration_seconds", "histogram")
        for (name, values) in all { histogram("assay_gateway_decision_duration_seconds", "listener", name, values.latencies) }
    }

    /// A decision listener may also be called `administration`. The two then count as one, because a series has one line.
    fileprivate mutating func append(refusedBy listeners: [ListenerCounts]) {
        let name = "assay_gateway_refused_messages_total"
        var counts: [String: [String: UInt64]] = [:]
        for one in listeners { counts[one.listener, default: [:]].merge(one.latest.refusedMessages) { $0 + $1 } }
        type(name, "counter")
        for (listener, codes) in counts.sorted(by: { $0.key < $1.key }) {
            for (code, count) in codes.sorted(by: { $0.key < $1.key }) { sample(name, count, ["code": code, "listener": listener]) }
        }
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

    fileprivate mutating func histogram(_ name: String, _ label: String, _ value: String, _ latencies: LatencyCounts) {
        for (bound, count) in latencies.cumulative { sample("\(name)_bucket", count, [label: value, "le": "\(bound)"]) }
        sample("\(name)_bucket", latencies.count, [label: value, "le": "+Inf"])
        sample("\(name)_sum", Double(latencies.nanoseconds) / 1e9, [label: value])
        sample("\(name)_count", latencies.count, [label: value])
    }
}
#endif
