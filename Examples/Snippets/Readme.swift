// The snippets of README.md, which quotes them line by line.

import JWTCore

func greeted(document: String, text: String) throws {
    let keys = try KeySet(jwks: document)  // a JWK Set as text or bytes
    let policy = ClaimsPolicy.idToken(issuer: "https://idp.example", clientID: "client-1")
    let verifier = TokenVerifier(keys: keys, policy: policy)  // build it once, share it between threads
    do {
        let token = try verifier.verify(text)
        print("hello", token.subject ?? "", token.claims.string("email") ?? "")
    } catch {
        print("refused:", error.code.name)  // always a VerificationError
    }
}

#if HTTP
import JWKSCache
import HTTPGuard

func fetchedKeys(policy: ClaimsPolicy, text: String) async throws -> VerifiedToken {
    let keys = RemoteKeySet(.issuer("https://idp.example"), transport: try GuardedClient())
    let verifier = RefreshingVerifier(keys: keys, policy: policy)  // waits for a new key when a token names one
    let token = try await verifier.verify(text)
    return token
}
#endif
