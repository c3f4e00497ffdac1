package import HTTPEdge
internal import Metrics

/// Shared signals by stream. The label is a stream's id, which an administrator has made.
package struct SignalMetrics: Sendable {
    private let factory: TextMetrics

    package init(_ factory: TextMetrics) { self.factory = factory }

    func delivered(_ count: Int, of stream: String) { add(count, to: "idaas_signals_delivered_total", [("stream", stream)]) }

    /// Tries that failed.
    func failed(_ count: Int, of stream: String) { add(count, to: "idaas_signals_failed_total", [("stream", stream)]) }

    /// - Parameter code: RFC 8935 section 2.4, or `other`.
    func refused(_ code: String, of stream: String) {
        add(1, to: "idaas_signals_refused_total", [("stream", stream), ("err", code)])
    }

    func dropped(_ count: Int, of stream: String) { add(count, to: "idaas_signals_dropped_total", [("stream", stream)]) }

    /// - Parameter counts: of every stream.
    func pending(_ counts: [String: Int]) {
        factory.keep(label: "stream", values: counts.keys)
        for (stream, count) in counts {
            Meter(label: "idaas_signals_pending", dimensions: [("stream", stream)], factory: factory).set(count)
        }
    }

    private func add(_ count: Int, to label: String, _ dimensions: [(String, String)]) {
        guard count > 0 else { return }
        Counter(label: label, dimensions: dimensions, factory: factory).increment(by: count)
    }
}
