import IDaaSServer
import IDaaSTestSupport

/// Receivers of shared signals on the store of a test.
extension Domain {
    /// Adds a stream that the server pushes to, or one that polls.
    @discardableResult
    func addStream(
        _ id: String, push url: String? = "https://receiver.example/events", revocations: Bool = true, credentials: Bool = true
    ) async throws -> SignalStream {
        let delivery: SignalStream.Delivery = url.map { .push(url: $0, sealedSecret: nil) } ?? .poll(secretDigest: [1])
        var stream = SignalStream(id: id, name: id, audience: "https://\(id).example", delivery: delivery, created: clock.now)
        (stream.wantsRevocations, stream.wantsCredentials) = (revocations, credentials)
        try await store.write { [stream] in try $0.save(stream) }
        return stream
    }

    /// What waits for a stream, in its order, as if no server were sending it.
    func waiting(for stream: String) async throws -> [StoredSignal] {
        try await store.read { [now = clock.now] in try $0.signals(of: stream, at: now + .seconds(86_400), limit: 1_000) }
    }

    func events(for stream: String) async throws -> [Signal.Event] { try await waiting(for: stream).map(\.signal.event) }
}
