#if IDaaS
internal import Metrics

/// Requests and how long they took, by route and status. The route is the one that was declared, never what a request wrote.
package struct RequestMetrics: Sendable {
    private let factory: TextMetrics

    package init(_ factory: TextMetrics) { self.factory = factory }

    package func record(method: String, route: String, status: Int, took duration: Duration) {
        let route = [("method", method), ("route", route)]
        Counter(label: "http_requests_total", dimensions: route + [("status", String(status))], factory: factory).increment()
        let (seconds, attoseconds) = duration.components
        Timer(label: "http_request_duration_seconds", dimensions: route, factory: factory)
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// A step of somebody's authentication, by its outcome: what an operator watches for an attack.
    package func record(_ action: AuditAction, outcome: String) {
        Counter(label: "idaas_steps_total", dimensions: [("step", action.rawValue), ("outcome", outcome)], factory: factory).increment()
    }
}
#endif
