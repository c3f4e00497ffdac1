#if HTTP
internal import IDaaSFlows
internal import Synchronization

/// Reaches the server by another transport, and notes how long each request took by its path.
final class TimedTransport: FlowTransport {
    private let transport: any FlowTransport
    private let times = Mutex<[String: [Duration]]>([:])

    init(_ transport: any FlowTransport) { self.transport = transport }

    func send(_ request: FlowRequest) async throws(TransportFailure) -> FlowResponse {
        let clock = ContinuousClock()
        let start = clock.now
        let response = try await transport.send(request)
        let path = String(request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.prefix { $0 != "?" })
        times.withLock { $0[path, default: []].append(clock.now - start) }
        return response
    }

    /// Each path's times, in rising order.
    var sorted: [(path: String, times: [Duration])] {
        times.withLock { $0.map { ($0.key, $0.value.sorted()) } }.sorted { $0.path < $1.path }
    }
}

extension [Duration] {
    /// The time that a share of these, which are in rising order, are not above.
    func quantile(_ share: Double) -> Duration { self[Swift.min(count - 1, Int((Double(count) * share).rounded(.up)) - 1)] }
}
#endif
