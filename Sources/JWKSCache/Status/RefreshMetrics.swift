#if Metrics
internal import JWTCore
public import Metrics

/// Reports key sets to swift-metrics. Pass ``observe(_:)`` to the key sets as their observer, and call ``record(_:)`` when metrics are
/// collected.
///
/// Sources are labels; a template has one per tenant. Key ids are never labels.
public struct RefreshMetrics: Sendable {
    private let factory: any MetricsFactory

    public init(factory: any MetricsFactory = MetricsSystem.factory) { self.factory = factory }

    /// Counts an event.
    public func observe(_ event: RefreshEvent) {
        switch event.kind {
        case .fetchStarted(let cause): count("fetches", event, ("cause", cause))
        case .fetchFailed(let failure, _): count("fetch_failures", event, ("reason", failure.code))
        case .confirmed: count("confirmations", event)
        case .installed(_, let generation):
            count("installations", event)
            gauge("generation", event.source, Double(generation))
        case .overtaken: count("overtaken", event)
        case .restored: count("restorations", event)
        case .storedSetRefused: count("stored_sets_refused", event)
        case .expired: count("expirations", event)
        case .alarm(let alarm): count("alarms", event, ("kind", alarm.code))
        }
    }

    /// Sets the gauges from the status of a key set.
    public func record(_ status: KeySetStatus) {
        gauge("keys", status.source, Double(status.keys.count { $0.unusableReason == nil }))
        gauge("age_seconds", status.source, status.age?.inSeconds ?? 0)
        gauge("believed_seconds", status.source, max(0, status.believedFor?.inSeconds ?? 0))
        gauge("clock_skew_seconds", status.source, status.clockSkew?.inSeconds ?? 0)
        gauge("shed_probes", status.source, Double(status.shedProbes))
        gauge("consecutive_failures", status.source, Double(status.failures))
    }

    private func count(_ name: String, _ event: RefreshEvent, _ label: (String, String)? = nil) {
        let labels = [("source", event.source)] + (label.map { [$0] } ?? [])
        Counter(label: "assay_jwks_\(name)_total", dimensions: labels, factory: factory).increment()
    }

    private func gauge(_ name: String, _ source: String, _ value: Double) {
        Gauge(label: "assay_jwks_\(name)", dimensions: [("source", source)], factory: factory).record(value)
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
#endif
