/// The parameters of the authorization code flow (RFC 6749, RFC 7636, OpenID Connect Core 1.0, RP-Initiated Logout 1.0),
/// and of the registration of clients (RFC 7591).
package enum OAuthMember {
    package static let clientID = "client_id"
    package static let clientSecret = "client_secret"
    package static let redirectURI = "redirect_uri"
    package static let responseType = "response_type"
    package static let responseMode = "response_mode"
    package static let scope = "scope"
    package static let state = "state"
    package static let nonce = "nonce"
    package static let prompt = "prompt"
    package static let maximumAge = "max_age"
    package static let contextClasses = "acr_values"
    package static let codeChallenge = "code_challenge"
    package static let codeChallengeMethod = "code_challenge_method"
    package static let code = "code"
    package static let codeVerifier = "code_verifier"
    package static let grantType = "grant_type"
    /// RFC 9207.
    package static let issuer = "iss"
    package static let accessToken = "access_token"
    package static let tokenType = "token_type"
    package static let lifetime = "expires_in"
    package static let idToken = "id_token"
    package static let error = "error"
    package static let idTokenHint = "id_token_hint"
    package static let logoutRedirectURI = "post_logout_redirect_uri"
    /// The page's name for the authorization request that it completes. At the authorization endpoint, a request object (OIDC Core section 6).
    package static let request = "request"
    package static let requestURI = "request_uri"
    package static let registration = "registration"
    /// RFC 8707.
    package static let resource = "resource"
    package static let refreshToken = "refresh_token"
    /// Asks for a refresh token (OpenID Connect Core 1.0 section 11).
    package static let offlineAccess = "offline_access"
    /// The user's answer on the login page: whether the client gets what it asks for.
    package static let consent = "consent"
    // RFC 7591 section 2.
    package static let redirectURIs = "redirect_uris"
    package static let grantTypes = "grant_types"
    package static let responseTypes = "response_types"
    package static let clientName = "client_name"
    package static let authenticationMethod = "token_endpoint_auth_method"
    package static let issuedAt = "client_id_issued_at"
}
