internal import IDaaSWire

/// What this server says of itself (RFC 8414 section 2, OpenID Connect Discovery 1.0 section 3). Lists only what is served.
struct ServerMetadata {
    let issuer: String
    /// Of the published signing keys.
    let algorithms: [String]
    let policy: ResourcePolicy

    /// The members of both documents. The end of a session is OpenID Connect's, and harmless in the other one.
    var members: [(String, JSON)] {
        [
            ("issuer", .string(issuer)),
            ("jwks_uri", .string(issuer + "/keys")),
            ("authorization_endpoint", .string(issuer + "/authorize")),
            ("token_endpoint", .string(issuer + "/token")),
            ("userinfo_endpoint", .string(issuer + "/userinfo")),
            ("end_session_endpoint", .string(String(issuer.dropLast(WirePath.issuer.count)) + WirePath.endSession)),
            ("response_types_supported", ["code"]),
            ("response_modes_supported", ["query"]),
            ("grant_types_supported", .array(grantTypes.map(JSON.string))),
            ("code_challenge_methods_supported", ["S256"]),
            ("token_endpoint_auth_methods_supported", ["client_secret_basic", "client_secret_post", "none"]),
            ("authorization_response_iss_parameter_supported", true),
            ("request_parameter_supported", false),
            ("request_uri_parameter_supported", false),
            ("scopes_supported", .array(scopes.map(JSON.string))),
        ] + resourceMembers
    }

    private var hasResources: Bool { !policy.resources.isEmpty }

    private var grantTypes: [String] { [ClientMetadata.codeGrant] + (hasResources ? [ClientMetadata.refreshGrant] : []) }

    private var scopes: [String] { ["openid"] + (hasResources ? policy.scopes + [OAuthMember.offlineAccess] : []) }

    private var resourceMembers: [(String, JSON)] {
        var members: [(String, JSON)] = []
        if policy.allowsRegistration { members.append(("registration_endpoint", .string(issuer + "/register"))) }
        if policy.allowsDocuments { members.append(("client_id_metadata_document_supported", true)) }
        // RFC 9728 section 4.
        if hasResources { members.append(("protected_resources", .array(policy.resources.map { .string($0.uri) }))) }
        return members
    }

    var openIDAlgorithms: [(String, JSON)] { [("id_token_signing_alg_values_supported", .array(algorithms.map(JSON.string)))] }

    /// The members that only OpenID Connect has.
    static let openIDMembers: [(String, JSON)] = [
        ("subject_types_supported", ["public"]), ("claims_supported", .array(claims.map(JSON.string))),
    ]

    private static let claims = [
        "iss", "sub", "aud", "azp", "exp", "iat", "nbf", "jti", "sid", "auth_time", "amr", "acr", "nonce", "name", "mobile", "id",
        "userName", "email", "status",
    ]
}
