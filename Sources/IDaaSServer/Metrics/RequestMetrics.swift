package import HTTPEdge
internal import Metrics

/// Requests and their durations, by route and status. The route is the declared one, never text from a request.
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

    /// An authentication step, by its outcome. Operators watch this to detect attacks.
    package func record(_ action: AuditAction, outcome: String) {
        Counter(label: "idaas_steps_total", dimensions: [("step", action.rawValue), ("outcome", outcome)], factory: factory).increment()
    }
}
