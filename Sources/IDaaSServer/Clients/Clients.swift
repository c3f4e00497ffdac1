internal import JWTCore
internal import Locks

/// The clients by id, cached for some seconds, because every request names a client.
package struct Clients: DomainService {
    package let environment: SharedEnvironment
    private let known = Locked<[String: Known]>([:])

    private struct Known {
        let client: Client
        let loaded: Timestamp
    }

    /// How long the server may not notice a change of a client.
    private static let memory = Duration.seconds(5)

    init(environment: SharedEnvironment) { self.environment = environment }

    /// Nil if there is no such client. Only existing clients are cached, so that made-up ids use no memory.
    package func find(_ id: String) async throws -> Client? {
        let now = clock.now
        if let known = known.withLock({ $0[id] }), known.loaded <= now, now < known.loaded + Self.memory { return known.client }
        let template = environment.resources.loginsOf
        let client = try await store.read { store -> Client? in
            guard let client = try store.client(id), client.settings.web?.registration != nil else { return try store.client(id) }
            return try client.loggingIn(like: store.client(template))
        }
        known.withLock { $0[id] = client.map { Known(client: $0, loaded: now) } }
        return client
    }

    /// Removes a client from the cache.
    func forget(_ id: String) { known.withLock { $0[id] = nil } }
}

extension Client {
    /// A registered client with the ways to log in of an application, and under its name: a name that nobody has checked is in no message.
    fileprivate func loggingIn(like application: Client?) -> Client {
        guard let application, application.settings.web?.registration == nil else { return self }
        var client = self
        client.name = application.name
        client.settings = application.settings
        (client.settings.wechat, client.settings.oneClick, client.settings.web) = (nil, nil, settings.web)
        client.settings.rotatesSessionTokens = true
        if client.settings.secondFactor.authenticator.isEmpty { client.settings.secondFactor.authenticator = application.id }
        return client
    }
}
