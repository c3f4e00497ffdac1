internal import HTTPEdge
internal import IDaaSWire
internal import Logging
internal import Metrics

/// The connections of the listener.
struct ConnectionMetrics: Sendable {
    private let current: Meter
    private let accepted: Counter
    private let refused: Counter
    private let factory: TextMetrics

    init(_ factory: TextMetrics) {
        self.factory = factory
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

    /// Counts and logs a message that is no request. The edge has answered it with `status`: its head is malformed (400) or late (408).
    func refuseMessage(_ status: Int, _ logger: Logger) {
        Counter(label: "http_messages_refused_total", dimensions: [("status", String(status))], factory: factory).increment()
        logger.info("a message was refused", metadata: ["status": "\(status)", "code": "\(ServiceCode.invalidFormat.rawValue)"])
    }
}
