import JWTCore
import JWTTestSupport
import SharedSignals

/// A transmitter of security event tokens, and what is judged of them.
enum Transmitter {
    static let issuer = "https://idp.example"
    static let audience = "https://gateway.example"
    static let forge = TokenForge(.edDSA)
    static let policy = ClaimsPolicy.securityEvents(issuer: issuer, audience: audience)

    static let sessionRevoked = SecurityEvent.Name.sessionRevoked.rawValue
    static let credentialChange = SecurityEvent.Name.credentialChange.rawValue

    static let user = #"{"format":"iss_sub","iss":"https://idp.example","sub":"jane"}"#
    static let session = #"{"format":"complex","user":\#(user),"session":{"format":"opaque","id":"sid-1"}}"#

    /// The claims of a token issued a hundred seconds before ``TokenForge/now``.
    static func claims(
        events: String = #"{"\#(sessionRevoked)":{"event_timestamp":1699999990}}"#, subject: String? = session, more: String = ""
    ) -> String {
        let subject = subject.map { #","sub_id":\#($0)"# } ?? ""
        return #"{"iss":"\#(issuer)","aud":"\#(audience)","jti":"set-1","iat":1700000000,"events":\#(events)\#(subject)\#(more)}"#
    }

    static func token(_ claims: String = claims(), type: String? = "secevent+jwt") -> String { forge.token(claims, type: type) }

    static func verified(
        _ token: String = token(), keys: some KeySource = forge.keySet, policy: ClaimsPolicy = policy,
        limits: SecurityEventLimits = .standard
    ) throws(SecurityEventError) -> VerifiedSecurityEventToken {
        try SecurityEventVerifier(keys: keys, policy: policy, limits: limits).verify(token, now: TokenForge.now)
    }

    /// "valid" or the name of the refusal, for tables of cases.
    static func verdict(
        _ token: String, keys: some KeySource = forge.keySet, policy: ClaimsPolicy = policy, limits: SecurityEventLimits = .standard
    ) -> String {
        do throws(SecurityEventError) {
            _ = try verified(token, keys: keys, policy: policy, limits: limits)
            return "valid"
        } catch {
            return error.name
        }
    }
}
