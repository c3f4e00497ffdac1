internal import HTTPEdge
internal import Metrics

/// The connections of the listener.
struct ConnectionMetrics: Sendable {
    private let current: Meter
    private let accepted: Counter
    private let refused: Counter

    init(_ factory: TextMetrics) {
        current = Meter(label: "http_connections", factory: factory)
        accepted = Counter(label: "http_connections_accepted_total", factory: factory)
        refused = Counter(label: "http_connections_refused_total", factory: factory)
    }

    func opened() {
        accepted.increment()
        current.increment()
    }

    func closed() { current.decrement() }

    /// Closed before its first byte was read.
    func refuse() { refused.increment() }
}
