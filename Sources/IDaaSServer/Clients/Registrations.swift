internal import IDaaSWire
internal import Logging
internal import Secrets

/// Clients that register themselves: by a request (RFC 7591), or by the URL of their metadata document
/// (draft-ietf-oauth-client-id-metadata-document). Both are off unless the settings switch them on.
///
/// What a client says of itself is shown to users as its own words. It gets no secret, no id_token, and nothing without a user's consent.
package struct Registrations: DomainService {
    package let environment: SharedEnvironment
    let clients: Clients

    private var policy: ResourcePolicy { environment.resources }

    // By a request

    /// Registers a client.
    ///
    /// - Parameter address: of the caller, whose requests are counted.
    /// - Throws: RATE.1001 for too many requests of the address, or too many clients; COMMON.1001, 1002, 1006 for its metadata.
    package func register(_ document: ClientDocument, from address: String) async throws -> (Client, ClientMetadata) {
        guard policy.allowsRegistration else { throw RequestRefusal.notFound }
        let metadata = try ClientMetadata(document)
        let client = Self.client(randomness.token(characters: 32, alphabet: .base62), metadata, documentHost: nil, at: clock.now)
        let (budget, now, most) = (
            budget(.registrationOfAddress, address, limits.registrationsPerAddress), clock.now, policy.maximumClients
        )
        try await store.settle { store -> Result<Void, ServiceError> in
            if let refusal = try budget.refusal(at: now, in: store) ?? Self.refusal(ofClientBeyond: most, in: store) {
                return .failure(refusal)
            }
            try budget.record(at: now, in: store)
            try store.save(client)
            try store.save(RegisteredClient(id: client.id, created: now))
            return .success(())
        }
        return (client, metadata)
    }

    // By a document

    /// The client of an authorization request; nil if there is none that may begin one. A document is fetched unless a copy is fresh.
    ///
    /// - Throws: RATE.1001 for too many fetches for the address, or too many clients.
    func client(_ id: String, from address: String) async throws -> Client? {
        guard !ClientDocumentURL.isMeant(id) else { return try await documented(id, from: address) }
        guard let client = try await store.read({ try $0.client(id) }) else { return nil }
        return client.settings.web?.registration == nil || policy.allowsRegistration ? client : nil
    }

    private func documented(_ url: String, from address: String) async throws -> Client? {
        guard policy.allowsDocuments, ClientDocumentURL.isAllowed(url), policy.resource(url) == nil else { return nil }
        let now = clock.now
        let kept = try await store.read { store -> Client? in
            guard let until = try store.registeredClient(url)?.freshUntil, now < until else { return nil }
            return try store.client(url)
        }
        if let kept { return kept }
        try await countFetch(for: address, at: now)
        guard let (metadata, lifetime) = await fetched(url) else { return nil }
        return try await keep(Self.client(url, metadata, documentHost: ClientDocumentURL.host(of: url), at: now), until: now + lifetime)
    }

    private func countFetch(for address: String, at now: Timestamp) async throws {
        let budget = budget(.documentOfAddress, address, limits.clientDocumentsPerAddress)
        try await store.settle { store -> Result<Void, ServiceError> in
            if let refusal = try budget.refusal(at: now, in: store) { return .failure(refusal) }
            try budget.record(at: now, in: store)
            return .success(())
        }
    }

    /// Nil, with the reason in the log, for a document that cannot be had or is none of a public client.
    private func fetched(_ url: String) async -> (ClientMetadata, Duration)? {
        do {
            let (text, lifetime) = try await environment.clientDocuments.document(at: url)
            let document = try ClientDocument(text: text)
            // Section 4.1: its own name, and no secret, which everybody could read.
            guard let id = document.clientID, RedirectAddress.isSame(id, url), document.secret == nil,
                document.authenticationMethod ?? "none" == "none"
            else { throw ServiceError(.invalidParameter, OAuthMember.clientID) }
            return (try ClientMetadata(document), lifetime)
        } catch {
            let reason = (error as? UpstreamFailure)?.code ?? (error as? ServiceError)?.arguments.first ?? "unknown"
            environment.logger.notice("a client metadata document was refused", metadata: ["url": "\(url)", "reason": "\(reason)"])
            return nil
        }
    }

    private func keep(_ client: Client, until fresh: Timestamp) async throws -> Client {
        let most = policy.maximumClients
        let kept = try await store.settle { store -> Result<Client, ServiceError> in
            var (kept, registered) = (client, RegisteredClient(id: client.id, created: client.created))
            if let known = try store.client(client.id), let former = try store.registeredClient(client.id) {
                (kept.created, registered) = (known.created, former)
            } else if let refusal = try Self.refusal(ofClientBeyond: most, in: store) {
                return .failure(refusal)
            }
            registered.freshUntil = fresh
            try store.save(kept)
            try store.save(registered)
            return .success(kept)
        }
        clients.forget(client.id)
        return kept
    }

    // Both

    /// Removes clients that nobody uses, at most a hundred at a time.
    func removeUnused() async throws {
        let (now, lifetimes, policy) = (clock.now, lifetimes, policy)
        let removed = try await store.write { store -> [String] in
            // A client takes its sessions along, so none is removed that may have one.
            let idle = max(policy.idleLifetime, lifetimes.sessionAbsolute + RegisteredClient.precision)
            let ids = try store.registeredClients(unusedSince: now - policy.unusedLifetime, idleSince: now - idle, limit: 100)
            for id in ids { _ = try store.removeClient(id, at: now) }
            return ids
        }
        removed.forEach(clients.forget)
    }

    private func budget(_ scope: Limit.Scope, _ address: String, _ limits: [Limit]) -> Budget {
        var budget = Budget()
        budget.add(scope, Caller.addressKey(address), limits)
        return budget
    }

    /// The bound of the table holds for all addresses together.
    private static func refusal(ofClientBeyond most: Int, in store: any StoreReading) throws -> ServiceError? {
        try store.registeredClientCount() < most ? nil : ServiceError(.rateLimited, retryAfter: .seconds(3_600))
    }

    /// The record of a client has no way to log in: ``Clients/find(_:)`` lends it those of an application.
    private static func client(_ id: String, _ metadata: ClientMetadata, documentHost: String?, at now: Timestamp) -> Client {
        var settings = ClientSettings()
        (settings.sms, settings.registersUnknownNumbers, settings.password) = (false, false, false)
        settings.web = WebApplication(
            redirectURIs: metadata.redirectURIs,
            registration: ClientRegistration(name: metadata.name, documentHost: documentHost, isRenewable: metadata.isRenewable))
        return Client(id: id, name: metadata.name, settings: settings, signatureKey: nil, created: now)
    }
}
