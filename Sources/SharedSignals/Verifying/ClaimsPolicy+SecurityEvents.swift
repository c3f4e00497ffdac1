public import JWTCore

extension ClaimsPolicy {
    /// How long a security event token is accepted: as long as the longest token lives that an event may revoke.
    public static let longestEventAge = Duration.seconds(86_400)

    /// A policy for the security event tokens (RFC 8417) of one stream: `typ` secevent+jwt (section 2.3); `iss`, `aud`, `iat` and `jti`
    /// required. `exp` is not required (section 2.2), and is checked if present.
    ///
    /// - Parameters:
    ///   - issuer: the transmitter: `iss`, byte for byte.
    ///   - audience: `aud` must contain it.
    ///   - maximumAge: the time since `iat` after which a token is refused, in whole seconds.
    public static func securityEvents(
        issuer: String, audience: String, maximumAge: Duration = longestEventAge
    ) -> Self {
        var policy = Self(issuer: issuer, audience: audience)
        policy.maximumAge = maximumAge
        policy.requireSecurityEvent()
        return policy
    }

    /// Adds what every security event token needs, whatever else the policy requires.
    mutating func requireSecurityEvent() {
        types = ["secevent+jwt"]
        requiresExpiration = false
        requiredClaims += ["iss", "aud", "iat", "jti"].filter { !requiredClaims.contains($0) }
    }
}
