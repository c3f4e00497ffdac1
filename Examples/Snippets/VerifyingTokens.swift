// The snippets of JWTCore's documentation, which quotes them line by line.

import JWTCore

func overview(document: String, text: String) throws -> VerifiedToken {
    let keys = try KeySet(jwks: document)
    let policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    let verifier = TokenVerifier(keys: keys, policy: policy)

    let token = try verifier.verify(text)
    return token
}

func verifierOfAKeySet(document: String, string: String) throws -> VerifiedToken {
    let keys = try KeySet(jwks: document)
    let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
    let token = try verifier.verify(string)
    return token
}

func keysToRead(document: String, pem: String) throws -> [KeySet] {
    let keys = try KeySet(jwks: document)  // a JWK Set, as providers publish it
    let pinned = KeySet(try VerificationKey(pem: pem, algorithm: .es256))  // one key you vouch for
    return [keys, pinned]
}

func refusedKeys(keys: KeySet) {
    for key in keys.keys {
        if let reason = key.unusableReason { print(key.keyID ?? "-", "skipped:", reason.name) }
    }
}

func policies() -> [ClaimsPolicy] {
    let idToken = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    let accessToken = ClaimsPolicy.accessToken(issuer: "https://idp.example", audience: "https://api.example")

    var own = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")
    own.algorithms = [.rs256, .es256]
    own.requiredClaims = ["sub", "tenant"]
    own.maximumAge = .seconds(3600)
    own.scopes = ["orders:read"]
    own.checks.append { claims, now in
        claims.string("tenant") == "acme" ? .accepted : .refused(.invalidClaim, because: "the tenant is not acme")
    }
    return [idToken, accessToken, own]
}

func ownKeys(pem: String, jwk: String) throws -> VerificationKey? {
    let own = try KeySet([
        VerificationKey(pem: pem, keyID: "2026-a", algorithm: .es256),
        VerificationKey(jwk: jwk),
    ])
    let oldest = own[keyID: "2026-a"].first
    return oldest
}

func sharedSecret(secret: [UInt8]) throws -> TokenVerifier<KeySet> {
    let shared = KeySet(try VerificationKey(secret: secret, algorithm: .hs256))
    var policy = ClaimsPolicy(issuer: "https://idp.example", audience: "client-1")
    policy.algorithms = [.hs256]
    return TokenVerifier(keys: shared, policy: policy)
}

func ownedClaims(keys: KeySet, idToken: ClaimsPolicy, text: String) throws -> String? {
    let verifier = TokenVerifier(keys: keys, policy: idToken)
    let token = try verifier.verify(text)
    let email = token.claims.string("email")
    return email
}

func lentClaims(verifier: TokenVerifier<KeySet>, bytes: [UInt8]) throws -> Bool {
    let isAdmin = try verifier.withVerified(bytes) { claims in
        claims["groups"]?.contains("admins") ?? false
    }
    return isAdmin
}

func boundToALogin(verifier: TokenVerifier<KeySet>, nonce: String, accessToken: String, text: String) throws -> VerifiedToken {
    let login = verifier.expecting(nonce: nonce).expecting(accessToken: accessToken)
    let token = try login.verify(text)
    return token
}

func severalIssuers(verifiers: [String: TokenVerifier<KeySet>], text: String, accept: (VerifiedToken) -> Void) throws {
    let stated = try UnverifiedClaims(reading: text)
    guard let verifier = verifiers[stated.issuer ?? ""] else { return }
    let token = try verifier.verify(text)
    accept(token)
}

func refusal(verifier: TokenVerifier<KeySet>, text: String, accept: (VerifiedToken) -> Void, log: (String, Int?) -> Void) {
    do {
        accept(try verifier.verify(text))
    } catch {
        if error.code.isRetryable {
            // keys_unavailable: try again, or answer 503
        }
        log(error.code.name, error.offset)
    }
}

func batch(verifier: TokenVerifier<KeySet>, tokens: [String]) -> [Result<VerifiedToken, VerificationError>] {
    var batch = TokenBatch()
    for token in tokens { batch.append(token) }
    let verdicts = verifier.verify(batch)
    return verdicts
}

func cached(keys: KeySet, policy: ClaimsPolicy) -> TokenVerifier<KeySet> {
    let cache = VerifiedTokenCache(budget: 16 << 20)
    let verifier = TokenVerifier(keys: keys, policy: policy).caching(in: cache)
    return verifier
}

struct Profile: Decodable { let sub: String, email: String?, exp: NumericDate, groups: [String]? }

func decodedClaims(token: VerifiedToken) throws -> Profile {
    let profile = try token.claims.decode(Profile.self)  // a Decodable struct with members such as `sub` and `email`
    return profile
}

struct Reply {
    var status = 200
    var fields: [String: String] = [:]
}

func answered(token: String, by verifier: TokenVerifier<KeySet>, in reply: inout Reply) -> VerifiedToken? {
    do {
        return try verifier.verify(token)
    } catch {
        reply.status = error.code.httpStatus
        reply.fields["WWW-Authenticate"] = BearerChallenge(refusing: error, realm: "api")?.fieldValue
        return nil
    }
}
