#if IDaaS
internal import Secrets

/// What the people do who run the server. Their rights are those of whoever can open the store.
package struct Administration: Sendable {
    let store: any Store
    let clock: any ServerClock
    let randomness: Randomness
    let areaCodes: AreaCodes
    let clients: Clients
    let clientKeys: ClientKeys

    // Clients

    /// A new client, with a key for `X-signature`.
    ///
    /// - Parameter id: `X-client-id`, at most 64 letters, digits, `-`, `_` and `.`; nil makes one.
    /// - Throws: ``AdministrationFailure``.
    package func addClient(name: String, id: String? = nil, settings: ClientSettings = ClientSettings()) async throws -> Client {
        let id = id ?? randomness.token(characters: 32, alphabet: .base62)
        guard Self.isClientID(id) else { throw AdministrationFailure.invalidClientID }
        let client = Client(
            id: id, name: name, settings: settings, signatureKey: try clientKeys.make(for: id), created: clock.now)
        try await store.write { store in
            guard try store.client(id) == nil else { throw AdministrationFailure.clientExists }
            try store.save(client)
        }
        return client
    }

    package func allClients() async throws -> [Client] { try await store.read { try $0.clients() } }

    /// Removes a client and its sessions.
    ///
    /// - Throws: ``AdministrationFailure/unknownClient``.
    package func removeClient(_ id: String) async throws {
        try await store.write { store in
            guard try store.removeClient(id) else { throw AdministrationFailure.unknownClient }
        }
        clients.forget(id)
    }

    /// Changes how a client behaves, in what `change` touches alone.
    ///
    /// - Throws: ``AdministrationFailure/unknownClient``.
    package func configure(_ id: String, _ change: @Sendable @escaping (inout ClientSettings) -> Void) async throws -> Client {
        try await self.change(id) { change(&$0.settings) }
    }

    /// Gives a client a new key for `X-signature`; what is encrypted with the old one is not understood any more.
    package func rotateKey(of id: String) async throws -> Client {
        let key = try clientKeys.make(for: id)
        return try await change(id) { $0.signatureKey = key }
    }

    private func change(_ id: String, _ body: @Sendable @escaping (inout Client) -> Void) async throws -> Client {
        let client = try await store.write { store in
            guard var client = try store.client(id) else { throw AdministrationFailure.unknownClient }
            body(&client)
            try store.save(client)
            return client
        }
        clients.forget(id)
        return client
    }

    private static func isClientID(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)) }
    }

    // Backup

    /// A consistent copy of the store at `path`, made while the server runs.
    package func backUp(to path: String) async throws { try await store.backUp(to: path) }
}

/// Why something could not be administered.
package enum AdministrationFailure: Error, Hashable, Sendable {
    case invalidClientID
    case clientExists
    case unknownClient
    case userExists
    case unknownUser
    /// A test code is six digits.
    case invalidTestCode
}
#endif
