internal import HTTPTypes
internal import IDaaSWire
internal import Secrets

/// Endpoints 1 and 2, and the metadata for clients of OAuth: the documents for relying parties and gateways.
package struct DiscoveryEndpoints: EndpointGroup {
    let services: Services
    let issuer: String

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, WirePath.discovery, "discovery") { try await answer(ServerMetadata.openIDMembers, to: $0) },
            Endpoint(.get, WirePath.serverMetadata, "serverMetadata") { try await answer([], to: $0) },
            Endpoint(.get, WirePath.rootServerMetadata, "rootServerMetadata") { try await answer([], to: $0) },
            Endpoint(.get, WirePath.keys, "keys", keys),
        ]
    }

    private func answer(_ more: [(String, JSON)], to exchange: Exchange) async throws -> Reply {
        let published = try await services.keys.document()
        let metadata = ServerMetadata(issuer: issuer, algorithms: published.algorithms, policy: services.environment.resources)
        let text = JSON.object(metadata.members + (more.isEmpty ? [] : metadata.openIDAlgorithms + more)).bytes
        return Self.reply(text, tag: "\"\(Digest256.of(text).prefix(16).hexadecimal)\"", to: exchange)
    }

    private func keys(_ exchange: Exchange) async throws -> Reply {
        let published = try await services.keys.document()
        return Self.reply(published.json, tag: published.entityTag, to: exchange)
    }

    private static func reply(_ text: [UInt8], tag: String, to exchange: Exchange) -> Reply {
        let fields: HTTPFields = [.cacheControl: "public, max-age=300", .eTag: tag]
        guard !exchange.hasCopy(tagged: tag) else { return Reply(status: 304, fields: fields) }
        return .json(text: text, fields: fields)
    }
}
