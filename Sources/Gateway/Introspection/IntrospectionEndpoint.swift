internal import JWKSCache
internal import JWTCore
internal import Locks

/// The introspection endpoint of an issuer: configured, or named by the issuer's metadata (RFC 8414 section 2), which is read again after
/// an hour.
final class IntrospectionEndpoint: Sendable {
    private let configured: String?
    private let issuer: String
    private let transport: any DocumentTransport
    private let clock: any ElapsedClock
    private let found = Locked<Found?>(nil)

    private struct Found {
        let task: Task<String?, Never>
        let since: Duration
    }

    private static let lifetime = Duration.seconds(3_600)

    init(_ configured: String?, issuer: String, transport: any DocumentTransport, clock: any ElapsedClock) {
        (self.configured, self.issuer, self.transport, self.clock) = (configured, issuer, transport, clock)
    }

    /// Its URL. Those who ask at once wait for one request.
    ///
    /// - Throws: `no_endpoint`.
    func url(within limit: Duration) async throws(IntrospectionFailure) -> String {
        if let configured { return configured }
        let now = clock.elapsed
        let task = found.withLock { found in
            if let found, now < found.since + Self.lifetime { return found.task }
            let task = Task { await fetch(limit) }
            found = Found(task: task, since: now)
            return task
        }
        if let url = await task.value { return url }
        // The next token asks anew.
        found.withLock { if $0?.task == task { $0 = nil } }
        throw IntrospectionFailure(.noEndpoint)
    }

    private func fetch(_ limit: Duration) async -> String? {
        for address in IssuerMetadata.addresses(of: issuer) ?? [] {
            let request = OutgoingRequest(url: address, fields: [HeaderField("Accept", "application/json")], timeLimit: limit)
            guard let response = try? await transport.fetch(request), response.status == 200 else { continue }
            if let url = url(in: response.body) { return url }
        }
        return nil
    }

    /// The document must name the issuer byte for byte (RFC 8414 section 3.3).
    private func url(in document: [UInt8]) -> String? {
        guard let tree = try? JSONDocument(parsing: document.span), let name = tree.root["issuer"]?.utf8, name.elementsEqual(issuer.utf8),
            let url = tree.root["introspection_endpoint"]?.string, IntrospectionTerms.isEndpoint(url)
        else { return nil }
        // The client's secret goes there.
        return url.hasPrefix("https:") || issuer.hasPrefix("http:") ? url : nil
    }
}
