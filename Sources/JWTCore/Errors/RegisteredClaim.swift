/// A claim whose name and type a specification fixes (RFC 7519 section 4.1, OIDC Core sections 2 and 3.3.2.11, RFC 9068 section 2.2).
public enum RegisteredClaim: UInt8, Sendable, CaseIterable {
    case issuer, subject, audience, expiration, notBefore, issuedAt, tokenID
    case authorizedParty, nonce, authenticationTime, contextClass, authenticationMethods, accessTokenHash, codeHash, sessionID, clientID

    /// The name in the payload.
    public var name: String { literal.description }

    package var literal: StaticString {
        switch self {
        case .issuer: "iss"
        case .subject: "sub"
        case .audience: "aud"
        case .expiration: "exp"
        case .notBefore: "nbf"
        case .issuedAt: "iat"
        case .tokenID: "jti"
        case .authorizedParty: "azp"
        case .nonce: "nonce"
        case .authenticationTime: "auth_time"
        case .contextClass: "acr"
        case .authenticationMethods: "amr"
        case .accessTokenHash: "at_hash"
        case .codeHash: "c_hash"
        case .sessionID: "sid"
        case .clientID: "client_id"
        }
    }
}
