#if IDaaS
internal import JWTCore

/// The clients by id, remembered for some seconds: every request names one.
package struct Clients: Sendable {
    private let store: any Store
    private let clock: any ServerClock
    private let known = Locked<[String: Known]>([:])

    private struct Known {
        let client: Client
        let loaded: Timestamp
    }

    /// How long a change of a client may go unnoticed.
    private static let memorySeconds = 5

    init(store: any Store, clock: any ServerClock) {
        self.store = store
        self.clock = clock
    }

    /// Nil if there is none. Only clients that exist are remembered, so that made-up ids occupy nothing.
    package func find(_ id: String) async throws -> Client? {
        let now = clock.now
        if let known = known.withLock({ $0[id] }), known.loaded <= now, now < known.loaded + Self.memorySeconds { return known.client }
        let client = try await store.read { try $0.client(id) }
        known.withLock { $0[id] = client.map { Known(client: $0, loaded: now) } }
        return client
    }

    /// Forgets what is remembered of a client.
    func forget(_ id: String) { known.withLock { $0[id] = nil } }
}
#endif
