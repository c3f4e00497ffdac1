internal import HTTPTypes
internal import IDaaSWire
internal import Secrets

/// Endpoints 1 and 2: the documents for relying parties and gateways.
package struct DiscoveryEndpoints: EndpointGroup {
    let services: Services
    let issuer: String

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, WirePath.discovery, "discovery", configuration),
            Endpoint(.get, WirePath.keys, "keys", keys),
        ]
    }

    /// Lists only what is served.
    private func configuration(_ exchange: Exchange) async throws -> Reply {
        let published = try await services.keys.document()
        let document: JSON = [
            "issuer": .string(issuer),
            "jwks_uri": .string(issuer + "/keys"),
            "authorization_endpoint": .string(issuer + "/authorize"),
            "token_endpoint": .string(issuer + "/token"),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "end_session_endpoint": .string(String(issuer.dropLast(WirePath.issuer.count)) + WirePath.endSession),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "authorization_response_iss_parameter_supported": true,
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
            "scopes_supported": ["openid"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(published.algorithms.map(JSON.string)),
            "claims_supported": .array(Self.claims.map(JSON.string)),
        ]
        let text = document.bytes
        return Self.reply(text, tag: "\"\(Digest256.of(text).prefix(16).hexadecimal)\"", to: exchange)
    }

    private static let claims = [
        "iss", "sub", "aud", "azp", "exp", "iat", "nbf", "jti", "sid", "auth_time", "amr", "acr", "nonce", "name", "mobile", "id",
        "userName", "email", "status",
    ]

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
