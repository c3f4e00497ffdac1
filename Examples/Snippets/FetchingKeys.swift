// The snippets of JWKSCache's documentation, which quotes them line by line.

#if HTTP
import JWKSCache
import HTTPGuard
import JWTCore

func keysOfAnIssuer(text: String) async throws -> [VerifiedToken] {
    let keys = RemoteKeySet(.issuer("https://idp.example"), transport: try GuardedClient())
    let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
    let token = try verifier.verify(text)  // never waits: keys_unavailable while there are none

    let patient = RefreshingVerifier(keys: keys, policy: verifier.policy)
    let sameToken = try await patient.verify(text)  // waits for the one fetch that may bring a new key
    return [token, sameToken]
}

func remoteKeySet() throws -> TokenVerifier<RemoteKeySet> {
    let keys = RemoteKeySet(.issuer("https://idp.example"), transport: try GuardedClient())
    let verifier = TokenVerifier(keys: keys, policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))
    return verifier
}

func trustedIssuers(text: String) throws -> VerifiedToken {
    let issuers = TrustedIssuers(
        [IssuerConfiguration("https://idp.example", policy: .idToken(issuer: "https://idp.example", clientID: "client-1"))],
        transport: try GuardedClient())
    let token = try issuers.verify(text)
    return token
}

func refreshing(keys: RemoteKeySet, policy: ClaimsPolicy, text: String) async throws -> VerifiedToken {
    let verifier = RefreshingVerifier(keys: keys, policy: policy)
    let token = try await verifier.verify(text)
    return token
}

func batched(keys: RemoteKeySet, policy: ClaimsPolicy, text: String) async throws -> VerifiedToken {
    let batcher = OpportunisticBatcher(TokenVerifier(keys: keys, policy: policy))
    let token = try await batcher.verify(text)  // from any number of tasks
    return token
}

func subject(of text: String, by verifier: any TokenVerifying) async throws(VerificationError) -> String? {
    try await verifier.verify(text).subject
}

func loggedIn(issuers: TrustedIssuers, nonce: String, accessToken: String, text: String) async throws -> VerifiedToken {
    let login = RefreshingVerifier(issuers).expecting(nonce: nonce).expecting(accessToken: accessToken)
    let token = try await login.verify(text)  // waits for a new key when the token names one
    return token
}

func refreshState() {
    var state = RefreshState(policy: .availabilityFirst, seed: 1)
    let order = state.tick(now: .zero)  // fetch: there are no keys yet
    state.confirmed(order!, lifetime: .seconds(300), isNew: true, now: .seconds(1))
    _ = state.tick(now: .seconds(100))  // nil: nothing is due
}
#endif
