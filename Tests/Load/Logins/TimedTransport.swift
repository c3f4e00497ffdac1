internal import IDaaSFlows
internal import JWKSCache
internal import Synchronization

/// Sends requests through another transport, and records their durations by path.
final class TimedTransport: FlowTransport {
    private let transport: any FlowTransport
    private let times = Mutex<[String: [Duration]]>([:])

    init(_ transport: any FlowTransport) { self.transport = transport }

    func send(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let clock = ContinuousClock()
        let start = clock.now
        let response = try await transport.send(request)
        let path = String(request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }.prefix { $0 != "?" })
        times.withLock { $0[path, default: []].append(clock.now - start) }
        return response
    }

    /// Each path's times, in ascending order.
    var sorted: [(path: String, times: [Duration])] {
        times.withLock { $0.map { ($0.key, $0.value.sorted()) } }.sorted { $0.path < $1.path }
    }
}

extension [Duration] {
    /// The quantile `share` of these times, which are in ascending order.
    func quantile(_ share: Double) -> Duration { self[Swift.min(count - 1, Int((Double(count) * share).rounded(.up)) - 1)] }
}
