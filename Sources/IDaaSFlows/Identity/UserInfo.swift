public import JWTCore

/// The user of a verified id_token. Only a verification creates one.
public struct UserInfo: Sendable {
    /// The user's id: `id`, or `sub`. With ``TenantProfile/legacyEIAM`` it is the `id` in `api`, never the fixed subject.
    public let id: String
    public let name: String?
    public let mobile: String?
    public let userName: String?
    public let email: String?
    /// Seconds since 1970.
    public let expiresAt: Int64?
    public let issuedAt: Int64?
    /// When the user logged in, in seconds since 1970. A refresh does not change it.
    public let authenticatedAt: Int64?
    public let sessionID: String?
    public let token: VerifiedToken
    /// Every claim.
    public let claims: WireValue

    /// - Returns: nil for a token without a user.
    init?(_ token: VerifiedToken, _ profile: TenantProfile) {
        guard let claims = WireValue(json: token.payload), claims.isObject else { return nil }
        let user = profile == .legacyEIAM ? claims["api"]?.unwrapped ?? .null : claims
        let subject = profile == .legacyEIAM ? nil : claims["sub"]?.filled
        guard let id = user["id"]?.filled ?? subject else { return nil }
        self.id = id
        self.token = token
        self.claims = claims
        name = user["name"]?.filled
        mobile = user["mobile"]?.filled
        userName = user["userName"]?.filled
        email = user["email"]?.filled
        expiresAt = token.claims.expiration?.seconds
        issuedAt = token.claims.issuedAt?.seconds
        authenticatedAt = token.claims.authenticationTime?.seconds
        sessionID = claims["sid"]?.filled
    }
}
