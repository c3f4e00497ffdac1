#if IDaaS
internal import HTTPTypes
internal import Secrets

/// Endpoints 1 and 2: what relying parties and gateways read.
package struct DiscoveryEndpoints: EndpointGroup {
    let services: Services
    let issuer: String

    package static let configurationPath = "/api/v1/oauth2/.well-known/openid-configuration"
    package static let keysPath = "/api/v1/oauth2/keys"

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.configurationPath, "discovery", configuration),
            Endpoint(.get, Self.keysPath, "keys", keys),
        ]
    }

    /// Only what is served: the authorization code flow is not.
    private func configuration(_ exchange: Exchange) async throws -> Reply {
        let published = try await services.keys.document()
        let document: JSON = [
            "issuer": .string(issuer),
            "jwks_uri": .string(issuer + "/keys"),
            "scopes_supported": ["openid"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(published.algorithms.map(JSON.string)),
            "claims_supported": .array(Self.claims.map(JSON.string)),
        ]
        let text = Array(document.text.utf8)
        return Self.reply(text, tag: "\"\(Digest256.of(text).prefix(16).hexadecimal)\"", to: exchange)
    }

    private static let claims = [
        "iss", "sub", "aud", "azp", "exp", "iat", "nbf", "jti", "sid", "auth_time", "amr", "acr", "nonce", "name", "mobile", "id",
        "userName",
        "email",
    ]

    private func keys(_ exchange: Exchange) async throws -> Reply {
        let published = try await services.keys.document()
        return Self.reply(published.json, tag: published.entityTag, to: exchange)
    }

    /// RFC 9110 section 13.1.2: a strong tag, compared weakly; `*` is whatever there is.
    private static func reply(_ text: [UInt8], tag: String, to exchange: Exchange) -> Reply {
        let fields: HTTPFields = [.cacheControl: "public, max-age=300", .eTag: tag]
        guard !matches(exchange.fields[values: .ifNoneMatch], tag) else { return Reply(status: 304, fields: fields) }
        return .json(text: text, fields: fields)
    }

    private static func matches(_ fields: [String], _ tag: String) -> Bool {
        let offered = fields.flatMap { $0.split(separator: ",") }.map { String($0).trimmed }
        return offered.contains("*") || offered.contains(tag) || offered.contains("W/" + tag)
    }
}
#endif
