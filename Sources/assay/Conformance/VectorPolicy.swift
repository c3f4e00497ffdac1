import JWTCore

/// The `policy` of a vector file. Absent members have their defaults.
struct VectorPolicy: Decodable {
    var preset: String?
    var issuer: StringOrArray?
    var audience: StringOrArray?
    var trustedAudiences: [String]?
    var authorizedParty: String?
    var algorithms: [String]?
    var leeway: Int64?
    var requireExpiration: Bool?
    var required: [String]?
    var types: [String]?
    var nonce: String?
    var accessToken: String?
    var code: String?
    var maxAge: Int64?
    var maximumAge: Int64?
    var acr: [String]?
    var amr: [String]?
    var revokedJti: [String]?
    var claims: Bool?

    /// The permitted members of a policy.
    static let names = CodingKeys.allCases.map(\.rawValue)

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case preset, issuer, audience, algorithms, leeway, required, types, nonce, code, acr, amr, claims
        case trustedAudiences = "trusted_audiences"
        case authorizedParty = "authorized_party"
        case requireExpiration = "require_expiration"
        case accessToken = "access_token"
        case maxAge = "max_age"
        case maximumAge = "maximum_age"
        case revokedJti = "revoked_jti"
    }

    var claimsPolicy: ClaimsPolicy {
        var policy = base
        policy.issuers = issuer?.values ?? []
        policy.audiences = audience?.values ?? []
        policy.trustedAudiences = trustedAudiences ?? []
        policy.authorizedParty = authorizedParty
        if let algorithms { policy.algorithms = AlgorithmSet(algorithms.compactMap(SignatureAlgorithm.init(name:))) }
        if let leeway { policy.leeway = .seconds(leeway) }
        policy.requiresExpiration = requireExpiration ?? policy.requiresExpiration
        policy.requiredClaims += required ?? []
        policy.types = types ?? policy.types
        (policy.nonce, policy.accessToken, policy.code) = (nonce, accessToken, code)
        (policy.maximumAuthenticationAge, policy.maximumAge) = (maxAge.map { .seconds($0) }, maximumAge.map { .seconds($0) })
        (policy.contextClasses, policy.authenticationMethods) = (acr ?? [], amr ?? [])
        policy.revokedTokenIDs = revokedJti ?? []
        return policy
    }

    private var base: ClaimsPolicy {
        switch preset {
        case "id_token": .idToken(issuer: "", clientID: "")
        case "access_token": .accessToken(issuer: "", audience: "")
        default: ClaimsPolicy()
        }
    }
}

/// A JSON string, or an array of strings.
struct StringOrArray: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let one = try? container.decode(String.self) { values = [one] } else { values = try container.decode([String].self) }
    }
}
