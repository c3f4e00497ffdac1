// The snippets of Docs/FromJWTKit.md and Docs/FromJose.md, which quote them line by line.

import JWTCore

struct SessionPayload: Decodable { let sub: String, exp: NumericDate, admin: Bool? }

func payloadOfAToken(document: String, text: String) throws -> SessionPayload {
    let keys = try KeySet(jwks: document)
    let verifier = TokenVerifier(keys: keys, policy: ClaimsPolicy(issuer: "https://idp.example", audience: "client-1"))
    let payload = try verifier.verify(text).claims.decode(SessionPayload.self)
    return payload
}

func ownKeys(pem: String, secret: [UInt8]) throws -> [KeySet] {
    let elliptic = KeySet(try VerificationKey(pem: pem, algorithm: .es256))
    let shared = KeySet(try VerificationKey(secret: secret, algorithm: .hs256))  // its policy has algorithms = [.hs256]
    return [elliptic, shared]
}

func adminsOnly() -> ClaimsPolicy {
    var policy = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")
    policy.checks.append { claims, now in
        claims["admin"]?.bool ?? false ? .accepted : .refused(.missingClaim)
    }
    return policy
}

func googlesTokens() -> ClaimsPolicy {
    var google = ClaimsPolicy.idToken(issuer: "https://accounts.google.com", clientID: "client-1")
    google.issuers.append("accounts.google.com")
    return google
}

func asBefore() -> ClaimsPolicy {
    var policy = ClaimsPolicy()
    policy.requiresExpiration = false
    policy.leeway = .zero
    return policy
}

func optionsOfJose() -> ClaimsPolicy {
    var policy = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")  // issuer, audience
    policy.algorithms = [.rs256, .es256]  // algorithms
    policy.types = ["at+jwt"]  // typ
    policy.leeway = .seconds(5)  // clockTolerance
    policy.maximumAge = .seconds(600)  // maxTokenAge
    policy.requiredClaims = ["tenant"]  // requiredClaims
    return policy
}

func codes(verifier: TokenVerifier<KeySet>, text: String, accept: (VerifiedToken) -> Void, renew: () -> Void, retry: () -> Void) {
    do {
        accept(try verifier.verify(text))
    } catch {
        switch error.code {
        case .expired: renew()
        case .keysUnavailable: retry()
        default: print(error.code.name)
        }
    }
}

func unverified(text: String) throws -> String? {
    let stated = try UnverifiedClaims(reading: text)
    let keyID = stated.header["kid"]?.string?.string
    return keyID ?? stated.issuer
}

#if HTTP
import JWKSCache
import HTTPGuard

func remoteKeys(policy: ClaimsPolicy, text: String) async throws -> VerifiedToken {
    let keys = RemoteKeySet(.jwks(url: "https://idp.example/jwks.json"), transport: try GuardedClient())
    let verifier = RefreshingVerifier(keys: keys, policy: policy)
    let token = try await verifier.verify(text)
    return token
}
#endif
