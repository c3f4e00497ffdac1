internal import IDaaSWire

/// The access to a resource that an authorization request asks for, as far as the client may have it.
struct ResourceAccess: Codable, Hashable, Sendable {
    /// The URI of the resource.
    let resource: String
    /// Scopes of the resource.
    let scopes: [String]
    /// Whether a refresh token comes with it.
    let isRenewable: Bool
    /// Whether an id_token comes with it.
    let hasIDToken: Bool
    /// `scope` of the answer: what of the request is granted.
    let granted: [String]

    /// - Parameters:
    ///   - parameters: of an authorization request with a `resource`.
    ///   - web: the client. A registered one gets no id_token: that has the user's number and name.
    /// - Throws: `OAuthFault`: `invalid_target` for a resource that is not configured (RFC 8707 section 2), `invalid_scope` if no scope that
    ///   it names is the resource's.
    init(_ parameters: [String: String], for web: WebApplication, _ policy: ResourcePolicy) throws(OAuthFault) {
        guard let known = policy.resource(parameters[OAuthMember.resource] ?? "") else { throw OAuthFault("invalid_target") }
        let asked = Set((parameters[OAuthMember.scope] ?? "").split(separator: " ").map(String.init))
        let named = asked.subtracting([Self.openID, OAuthMember.offlineAccess])
        resource = known.uri
        scopes = named.isEmpty ? known.scopes : known.scopes.filter(named.contains)
        guard named.isEmpty || !scopes.isEmpty else { throw OAuthFault("invalid_scope") }
        hasIDToken = web.registration == nil && asked.contains(Self.openID)
        isRenewable = web.registration.map(\.isRenewable) ?? asked.contains(OAuthMember.offlineAccess)
        let isOffline = isRenewable && asked.contains(OAuthMember.offlineAccess)
        granted = scopes + (hasIDToken ? [Self.openID] : []) + (isOffline ? [OAuthMember.offlineAccess] : [])
    }

    private static let openID = "openid"
}

/// An `error` of RFC 6749 sections 4.1.2.1 and 5.2, or of RFC 8707 section 2.
struct OAuthFault: Error, Hashable, Sendable {
    let error: String

    init(_ error: String) { self.error = error }
}
