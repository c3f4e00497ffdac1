// A JWT access token (RFC 9068) with a scope, and the answer to a request (RFC 6750).

import AssayTesting
import JWKSCache
import JWTCore
import Testing

/// - Parameter verifier: its policy is `.accessToken(issuer:audience:scopes:)`.
func answer(to text: String, by verifier: RefreshingVerifier, scope: String) async -> (status: Int, challenge: String?) {
    do {
        _ = try await verifier.verify(text)
        return (200, nil)
    } catch {
        return (error.code.httpStatus, BearerChallenge(refusing: error, scope: scope)?.fieldValue)
    }
}

@Suite struct AccessTokenTask {
    @Test func aTokenNeedsTheScope() async throws {
        let issuer = try TestIssuer()
        let policy = ClaimsPolicy.accessToken(issuer: issuer.identifier, audience: "https://api.example", scopes: ["orders"])
        let keys = RemoteKeySet(.issuer(issuer.identifier), transport: issuer, clock: ManualClock())
        let verifier = RefreshingVerifier(keys: keys, policy: policy)
        let cases = [
            (try issuer.accessToken(["scope": "profile orders"]), 200), (try issuer.accessToken(["scope": "profile"]), 403),
            (try issuer.accessToken(["scope": "reorders"]), 403), (try issuer.idToken(["aud": "https://api.example"]), 401),
        ]
        for (token, status) in cases { #expect(await answer(to: token, by: verifier, scope: "orders").status == status) }
        #expect(await answer(to: cases[1].0, by: verifier, scope: "orders").challenge?.contains("insufficient_scope") == true)
    }
}
