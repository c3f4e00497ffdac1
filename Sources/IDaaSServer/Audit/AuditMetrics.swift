package import HTTPEdge
internal import Metrics

/// What becomes of audit events.
package struct AuditMetrics: Sendable {
    /// Where audit events are written to.
    package enum Sink: String, Sendable {
        case file, database
    }

    private let factory: TextMetrics

    package init(_ factory: TextMetrics) { self.factory = factory }

    /// Events that are durable in the database.
    func recorded(_ count: Int) { add(count, to: "idaas_audit_recorded_total", []) }

    /// Events that will never be in the database.
    func lost(_ count: Int) { add(count, to: "idaas_audit_lost_total", []) }

    /// A try that failed.
    func failed(_ sink: Sink) { add(1, to: "idaas_audit_failures_total", [("sink", sink.rawValue)]) }

    /// The events that wait for the database.
    func waiting(_ count: Int) { Meter(label: "idaas_audit_waiting", factory: factory).set(count) }

    private func add(_ count: Int, to label: String, _ dimensions: [(String, String)]) {
        guard count > 0 else { return }
        Counter(label: label, dimensions: dimensions, factory: factory).increment(by: count)
    }
}
