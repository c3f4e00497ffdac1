#if Gateway
internal import Gateway
internal import JWTCore

/// What operators see of a running service.
final class Observations: Sendable {
    let gateway: LiveGateway
    let metrics: GatewayMetrics
    let reloading: Reloading
    let cache: VerifiedTokenCache?
    let replays: ServiceReplays
    /// Nil if no events arrive.
    let signals: SignalReceiver?
    let history = VerdictHistory()
    let started: NumericDate
    private let date: any UnixClock

    init(
        gateway: LiveGateway, metrics: GatewayMetrics, reloading: Reloading, cache: VerifiedTokenCache?,
        replays: ServiceReplays, signals: SignalReceiver?, date: any UnixClock, started: NumericDate
    ) {
        self.gateway = gateway
        self.metrics = metrics
        self.reloading = reloading
        self.cache = cache
        self.replays = replays
        self.signals = signals
        self.date = date
        self.started = started
    }

    /// The connections of the administrative listener, whose memory is given back too.
    var operators: ListenerCounts { metrics.administration }

    var latencies: LatencyCounts { metrics.listeners.map(\.latest.latencies).reduce(LatencyCounts()) { $0.adding($1) } }

    /// The connections of all listeners: those that are open, and the most since the last call.
    func connections() -> (open: Int, peak: Int) {
        let counts = metrics.listeners + [operators, metrics.transmitters]
        return (counts.map(\.latest.connections).reduce(0, +), counts.map { $0.takePeak() }.reduce(0, +))
    }

    func sample(at date: NumericDate) { history.sample(gateway.inForce.core.counters, latencies, at: date) }

    var metricsText: String {
        metrics.text(gateway.inForce, isReady: gateway.isReady, cache: cache, replays: replays, signals: signals, now: date.now)
    }
}
#endif
