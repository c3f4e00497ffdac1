internal import JWTCore
internal import Secrets

/// Issues access tokens for protected resources (RFC 9068).
///
/// Their type is another one than that of id_tokens, and so neither is taken for the other.
struct AccessTokens: DomainService {
    let environment: SharedEnvironment
    let keys: SigningKeys

    static let mediaType = "at+jwt"

    /// Issues a token of a grant.
    ///
    /// - Parameters:
    ///   - session: of the grant. `sid` and `status` are its own.
    ///   - resource: the audience, from the settings.
    ///   - scopes: at most those of the grant.
    func issue(to user: User, _ session: StoredSession, for resource: ProtectedResource, _ scopes: [String]) async throws -> String {
        let now = clock.now
        let claims = JSON.object(present: [
            ("iss", .string(environment.issuer)), ("sub", .string(user.id)), ("aud", .string(resource.uri)),
            ("client_id", .string(session.client)), ("scope", scopes.isEmpty ? nil : .string(scopes.joined(separator: " "))),
            ("iat", .integer(now.seconds)), ("exp", .integer((now + .seconds(resource.accessTokenSeconds)).seconds)),
            ("jti", .string(String(decoding: Base64URL.encode(randomness.bytes(16)), as: UTF8.self))), ("sid", .string(session.id)),
            ("auth_time", .integer(session.authenticated.seconds)), ("amr", .array(session.methods.map(JSON.string))),
            ("acr", .string(session.contextClass)), ("status", environment.value.status(of: session)?.json),
        ])
        return try await keys.sign(claims: claims.text, type: Self.mediaType)
    }
}
