import JWTCore

extension PolicyCase {
    private static let issuer = "https://idp.example"

    /// Together they have every rule of a policy.
    static var all: [PolicyCase] {
        [
            PolicyCase { $0 = .idToken(issuer: issuer, clientID: "client-1") },
            PolicyCase { $0 = .accessToken(issuer: issuer, audience: "client-1", scopes: ["read"]) },
            PolicyCase { $0.nonce = "n-1" },
            PolicyCase {
                $0.maximumAge = .seconds(600)
                $0.leeway = .zero
            },
            PolicyCase {
                $0.maximumAuthenticationAge = .seconds(600)
                $0.contextClasses = ["gold", "silver"]
                $0.authenticationMethods = ["otp", "pwd"]
            },
            PolicyCase {
                $0.accessToken = "2YotnFZFEjr1zCsicMWpAA"
                $0.code = "SplxlOBeZQQYbYS6WxSbIA"
            },
            PolicyCase {
                $0.subject = "user-1"
                $0.revokedTokenIDs = ["jti-1", "jti-2"]
                $0.requiredClaims = ["tenant", "sub"]
            },
            PolicyCase {
                $0.requiresExpiration = false
                $0.issuers = [issuer, "https://b.example"]
                $0.audiences = ["client-1", "api"]
            },
            PolicyCase {
                $0 = .idToken(issuer: issuer, clientID: "client-1")
                $0.trustedAudiences = ["api"]
                $0.authorizedParty = "client-2"
            },
            PolicyCase(hasKeys: false) { _ in },
            PolicyCase {
                $0.requiresExpiration = false
                $0.leeway = .seconds(Int64.max)
                $0.checks = [{ claims, _ in claims["tenant"] == nil ? .refused(.invalidClaim, because: "no tenant") : .accepted }]
            },
        ]
    }
}
